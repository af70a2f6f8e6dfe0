// Signalbox: hands the events that matter to its hook, and the owner's answers to OpenCode. Written by
// "sigbox setup opencode", taken away by "sigbox setup opencode --remove"; changes here are lost.
import { spawn } from "node:child_process"

const command = ["SIGBOX"]
const holding = ["SIGBOX_HOLD"]

const told = new Set([
  "session.created", "session.deleted", "session.idle", "session.error", "session.status", "message.updated",
  "permission.updated", "permission.asked", "permission.v2.asked", "permission.replied", "permission.v2.replied",
  "question.asked", "question.v2.asked", "question.replied", "question.v2.replied", "question.rejected", "question.v2.rejected",
])
const asking = new Set(["permission.updated", "permission.asked", "permission.v2.asked", "question.asked", "question.v2.asked"])

// run starts the hook with an event, and resolves with what it printed. It never fails and never throws.
function run(args, input, cwd) {
  return new Promise((resolve) => {
    let out = ""
    try {
      const p = spawn(args[0], args.slice(1), { cwd, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      p.on("error", () => resolve(""))
      p.on("close", () => resolve(out))
      p.stdout.on("data", (d) => { if (out.length < 65536) out += d })
      p.stdin.on("error", () => {})
      p.stdin.end(JSON.stringify(input))
    } catch {
      resolve("")
    }
  })
}

export const Signalbox = async ({ client, directory, serverUrl }) => {
  const parents = new Map()
  const users = new Set()
  let last = Promise.resolve()

  // parentOf is the session that a sub-agent's session belongs to.
  const parentOf = async (id) => {
    if (!id) return undefined
    if (!parents.has(id)) {
      try {
        const s = await client.session.get({ path: { id } })
        parents.set(id, s.data?.parentID)
      } catch {
        return undefined
      }
    }
    return parents.get(id)
  }

  // answer gives the owner's answer to OpenCode's own server.
  const answer = async (printed) => {
    if (!printed.trim()) return
    try {
      const call = JSON.parse(printed)
      const options = { url: call.path, body: call.body, headers: { "content-type": "application/json" } }
      const inner = client._client
      if (inner?.post) await inner.post(options)
      else await fetch(new URL(call.path, serverUrl), { method: call.method, headers: options.headers, body: call.body && JSON.stringify(call.body) })
    } catch {}
  }

  return {
    event: async ({ event }) => {
      if (!told.has(event.type)) return
      const info = event.properties?.info
      if (event.type === "message.updated") {
        if (info?.role !== "user" || users.has(info.id)) return
        users.add(info.id)
        if (users.size > 1000) users.clear()
      }
      if (event.type === "session.created") parents.set(info?.id, info?.parentID)
      const parent = await parentOf(event.properties?.sessionID ?? info?.sessionID ?? info?.id)
      const input = { event, parent, directory }
      if (asking.has(event.type)) {
        run(holding, input, directory).then(answer)
        return
      }
      // In order, and never awaited by OpenCode.
      last = last.then(() => run(command, input, directory))
    },
  }
}
