// Holds what the agents send in our tests, and what we print for them, against the agents' own published types and
// schemas. Nothing of the packages is run but their types and, of Codex, the schemas inside its program.
//
//   node check.mjs WORKDIR     packages are fetched into WORKDIR once; see ../agent-types.sh
//
// It fails on whatever does not fit and is not listed in deviations.json, and on a deviation that is none any more.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { createRequire } from "node:module"

const here = import.meta.dirname
const work = path.resolve(process.argv[2])
const data = path.join(here, "../../agents/testdata")
const read = (f) => JSON.parse(fs.readFileSync(f, "utf8"))

const modules = path.join(work, "node_modules")
const deviations = read(path.join(here, "deviations.json"))
const found = {}
const note = (name, text) => (found[name] ??= []).push(text)

// fixtures are [name, payload, golden] of an agent; one that is broken on purpose is left out.
function fixtures(agent) {
  const out = []
  for (const f of fs.readdirSync(path.join(data, agent)).sort()) {
    if (!f.endsWith(".json") || f.endsWith(".golden.json")) continue
    const name = f.slice(0, -5)
    let payload
    try {
      payload = read(path.join(data, agent, f))
    } catch {
      continue
    }
    out.push([name, payload, read(path.join(data, agent, name + ".golden.json"))])
  }
  return out
}

// outputs are what we print of a golden file, by answer.
function outputs(golden) {
  const all = { ...golden.outputs, undecided: golden.undecided }
  return Object.entries(all).filter(([, text]) => text).map(([answer, text]) => [answer, JSON.parse(text)])
}

// ---- types: each value becomes a constant of the agent's type, and the compiler says what does not fit.
const lines = []
const at = [] // the name of what stands in a line
const emit = (name, text) => text.split("\n").forEach((l) => (at[lines.length] = name, lines.push(l)))
let n = 0
const constant = (name, type, value) => emit(name, `const v${n++}: ${type} = ${JSON.stringify(value)}`)

emit("imports", `import type * as claude from "@anthropic-ai/claude-agent-sdk"
import type * as gemini from "@google/gemini-cli-core/dist/src/hooks/types.js"
import type * as opencode from "@opencode-ai/sdk/v2"
import type * as opencode1 from "@opencode-ai/sdk"
import type * as copilot from "@github/copilot-sdk"
import type { Plugin } from "@opencode-ai/plugin"
type Plain<T> = T extends string ? \`\${T}\` : T extends (infer E)[] ? Plain<E>[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T
type Wire<T> = Omit<T, "timestamp" | "workingDirectory"> & { timestamp: number; cwd: string }
type Handler<K extends keyof copilot.SessionHooks> = Parameters<NonNullable<copilot.SessionHooks[K]>>[0]
type Body<T> = T extends { body?: infer B } ? NonNullable<B> : never`)

for (const [name, payload, golden] of fixtures("claude")) {
  const id = "claude/" + name
  constant(id, "claude.HookInput", payload)
  for (const [answer, out] of outputs(golden)) constant(id + " " + answer, "claude.HookJSONOutput", out)
}

for (const [name, payload, golden] of fixtures("gemini")) {
  const id = "gemini/" + name
  const type = name.split(".")[0]
  constant(id, `Plain<gemini.${type}Input>`, payload)
  for (const [answer, out] of outputs(golden)) constant(id + " " + answer, "Plain<gemini.HookOutput>", out)
}

const older = new Set(["permission.updated"])
const replies = {
  permission: "Body<opencode.PermissionReplyData>",
  question: "Body<opencode.QuestionReplyData>",
}
for (const [name, payload, golden] of fixtures("opencode")) {
  const id = "opencode/" + name
  const event = payload.event ?? payload.payload ?? payload
  const old = older.has(event.type) || event.id === undefined
  constant(id, `Extract<${old ? "opencode1" : "opencode"}.Event, { type: ${JSON.stringify(event.type)} }>`, event)
  for (const [answer, out] of outputs(golden)) {
    const [, kind, , verb] = out.path.replace(/^\/api\/session\/[^/]+/, "").split("/")
    if (verb === "reply" && replies[kind]) constant(id + " " + answer, replies[kind], out.body)
    else if (kind === "session") constant(id + " " + answer, "Body<opencode1.PostSessionIdPermissionsPermissionIdData>", out.body)
    else if (!(kind === "question" && verb === "reject")) note(id + " " + answer, "no such route: " + out.path)
  }
}

const copilotHooks = {
  sessionStart: "onSessionStart", sessionEnd: "onSessionEnd", userPromptSubmitted: "onUserPromptSubmitted", preToolUse: "onPreToolUse",
  postToolUse: "onPostToolUse", postToolUseFailure: "onPostToolUseFailure", errorOccurred: "onErrorOccurred", agentStop: "onAgentStop",
}
for (const [name, payload] of fixtures("copilot")) {
  const hook = copilotHooks[name.split(".")[0]]
  if (hook && !name.endsWith(".pascal")) constant("copilot/" + name, `Wire<Handler<"${hook}">>`, payload)
}

const tests = path.join(work, "types.ts")
fs.writeFileSync(tests, lines.join("\n") + "\nexport {}\n")
// The plugin that setup writes, as OpenCode loads it.
const plugin = fs.readFileSync(path.join(here, "../../agents/setup/opencode_plugin.js"), "utf8")
fs.writeFileSync(path.join(work, "plugin.js"), plugin)
fs.writeFileSync(path.join(work, "loads.ts"), `import type { Plugin } from "@opencode-ai/plugin"\nimport { Signalbox } from "./plugin.js"\nexport const loaded: Plugin = Signalbox\n`)
fs.writeFileSync(path.join(work, "tsconfig.json"), JSON.stringify({
  compilerOptions: { noEmit: true, strict: true, noImplicitAny: false, allowJs: true, skipLibCheck: true, module: "nodenext", moduleResolution: "nodenext", target: "es2024", types: [] },
  files: ["types.ts", "loads.ts"],
}))
fs.writeFileSync(path.join(work, "package.json"), '{"private":true,"type":"module"}')
let said = ""
try {
  execFileSync(process.execPath, [path.join(modules, "typescript/lib/tsc.js"), "--pretty", "false", "-p", work], { cwd: work, encoding: "utf8" })
} catch (e) {
  said = e.stdout || String(e)
}
let last = "compiler"
for (const line of said.split("\n").filter(Boolean)) {
  const m = /^types\.ts\((\d+),\d+\): error TS\d+: (.*)/.exec(line)
  if (m) last = at[m[1] - 1]
  else if (/^(plugin|loads)\./.test(line)) last = "plugin"
  note(last, m ? m[2] : line.trim())
}

// ---- Codex: its program carries the schemas of its hooks.
function codexSchemas(program) {
  const bytes = fs.readFileSync(program)
  const schemas = {}
  for (let i = 0; (i = bytes.indexOf(".command.", i)) >= 0; i++) {
    const from = bytes.lastIndexOf('{\n  "$schema"', i)
    const title = /"title": "([a-z-]+\.command\.(?:in|out)put)"/.exec(bytes.subarray(i - 60, i + 30).toString("latin1"))
    if (!title || from < 0 || i - from > 100_000) continue
    const end = bytes.indexOf("\n}", i)
    try {
      schemas[title[1]] = JSON.parse(bytes.subarray(from, end + 2).toString("utf8"))
    } catch {}
  }
  return schemas
}

const codex = path.join(modules, "@openai/codex/vendor")
if (fs.existsSync(codex)) {
  const target = fs.readdirSync(codex)[0]
  const schemas = codexSchemas(path.join(codex, target, "bin/codex"))
  const Ajv = createRequire(path.join(work, "x.js"))("ajv").default
  const ajv = new Ajv({ strict: false, allErrors: true })
  const kebab = (s) => s.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()
  let checked = 0
  for (const [name, payload, golden] of fixtures("codex")) {
    const event = kebab(name.split(".")[0])
    const id = "codex/" + name
    for (const [what, value, schema] of [["", payload, schemas[event + ".command.input"]],
      ...outputs(golden).map(([answer, out]) => [" " + answer, out, schemas[event + ".command.output"]])]) {
      if (!schema) { note(id + what, "Codex has no schema of it"); continue }
      checked++
      if (!ajv.validate(schema, value)) for (const e of ajv.errors) note(id + what, `${e.instancePath || "/"} ${e.message} ${JSON.stringify(e.params)}`)
    }
  }
  for (const s of Object.keys(schemas)) {
    const event = s.split(".")[0]
    if (!fixtures("codex").some(([name]) => kebab(name.split(".")[0]) === event)) note("codex " + event, "no payload of it")
  }
  console.log(`Codex: ${Object.keys(schemas).length} schemas, ${checked} values`)
} else console.log("Codex: not fetched (CODEX=yes fetches its program, 170 MB)")

// ---- what is said
let bad = 0
for (const [name, texts] of Object.entries(found)) {
  if (deviations[name]) continue
  bad++
  console.log(`${name}\n  ${texts.join("\n  ")}`)
}
for (const name of Object.keys(deviations)) {
  if (!found[name] && !(name.startsWith("codex") && !fs.existsSync(codex))) { bad++; console.log(`${name}\n  is no deviation any more`) }
}
console.log(`${n} values against types, ${Object.keys(deviations).length} known deviations, ${bad} faults`)
process.exit(bad ? 1 : 0)
