package agents

import (
	"slices"
	"strings"
)

// knownFields are the names of the fields that the agents' events have at their top, as far as they are known here.
// A field that is not among them is harmless: it is noted, so that somebody may look what it means.
var knownFields = map[string]string{
	"claude": `session_id transcript_path cwd hook_event_name prompt_id permission_mode agent_id agent_type effort tool_name tool_input
		tool_use_id mcp_server tool_response duration_ms error is_interrupt tool_calls permission_suggestions reason message title
		notification_type prompt source session_title expansion_type command_name command_args command_source model
		seconds_since_last_response context_tokens prompt_cache_likely_expired estimated_cache_write_usd stop_hook_active
		last_assistant_message background_tasks session_crons error_details agent_transcript_path trigger custom_instructions
		compact_summary from_model to_model requested_model prompt_cache_warm cache_ttl pricing teammate_name team_name task_id
		task_subject task_description mcp_server_name mode url elicitation_id requested_schema action content file_path name
		worktree_path memory_type load_reason old_cwd new_cwd event directory turn_id message_id index final delta invoked_by globs
		trigger_file_path parent_file_path`,
	"codex": `session_id transcript_path cwd hook_event_name model permission_mode turn_id agent_id agent_type tool_name tool_input
		tool_use_id tool_response prompt source stop_hook_active last_assistant_message trigger agent_transcript_path reason type
		thread-id turn-id client input-messages last-assistant-message`,
	"opencode": `id type properties directory project workspace payload event parent said agent turn`,
	"gemini": `session_id transcript_path cwd hook_event_name timestamp tool_name tool_input mcp_context original_request_name
		tool_response prompt prompt_response stop_hook_active llm_request llm_response source reason notification_type message details
		trigger`,
	"cursor": `conversation_id generation_id hook_event_name workspace_roots model cursor_version user_email session_id cwd tool_name
		tool_input tool_use_id mcp_server_name mcp_tool_name tool_response command sandbox output duration url result_json file_path
		content attachments edits prompt text status loop_count subagent_id subagent_type summary transcript_path`,
	"copilot": `sessionId timestamp cwd source initialPrompt reason prompt toolName toolArgs toolInput toolResult result error
		transcriptPath stopReason stop_hook_active agentName agentId response errorContext recoverable trigger message title
		notification_type hook_event_name`,
	"vscode": `session_id sessionId transcript_path cwd hook_event_name timestamp tool_name tool_input tool_use_id tool_response source
		prompt stop_hook_active last_assistant_message agent_id agent_type trigger`,
}

// UnknownFields are the names at the top of a payload that are not known of its agent, without values. A name that may
// be content is told by its length.
func UnknownFields(agent string, payload []byte) []string {
	list, ok := knownFields[agent]
	if !ok {
		return nil
	}
	known := map[string]bool{}
	for _, name := range strings.Fields(list) {
		known[fold(name)] = true
	}
	var out []string
	for _, m := range members(payload) {
		if !known[fold(m.name)] && len(out) < 20 {
			out = append(out, maskedName(m.name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
