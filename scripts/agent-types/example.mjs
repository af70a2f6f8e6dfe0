// Checks the TypeScript of docs/agents/typescript.md as strictly as can be, and runs it against a center of its own.
//
//   node example.mjs WORKDIR SIGBOX
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import { createRequire } from "node:module"
import os from "node:os"
import path from "node:path"
import { promisify } from "node:util"

const [work, sigbox] = process.argv.slice(2).map((p) => path.resolve(p))
const ts = createRequire(path.join(work, "x.js"))("typescript")
const page = fs.readFileSync(new URL("../../docs/agents/typescript.md", import.meta.url), "utf8")
const source = /```ts\n([^]*?)```/.exec(page)[1]

const home = fs.mkdtempSync(path.join(os.tmpdir(), "example-"))
const file = path.join(home, "example.ts")
const node = path.join(home, "node.d.ts")
fs.writeFileSync(file, source)
fs.writeFileSync(node, "declare const process: { env: Record<string, string | undefined> }\n")
const program = ts.createProgram([file, node], {
  strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [],
})
const faults = ts.getPreEmitDiagnostics(program)
if (faults.length) {
  console.log(ts.formatDiagnostics(faults, { getCanonicalFileName: (f) => f, getCurrentDirectory: () => home, getNewLine: () => "\n" }))
  process.exit(1)
}

const run = promisify(execFile)
const call = async (...args) => (await run(sigbox, [...args, "--home=" + home])).stdout
const ready = path.join(home, "ready")
const center = spawn(sigbox, ["serve", "--home", home, "--listen", "127.0.0.1:0", "--ready", ready, "--log", "error"], { stdio: "ignore" })
const until = async (found) => {
  for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) {
    const got = await found()
    if (got) return got
  }
  throw new Error("it never came")
}
try {
  await until(() => fs.existsSync(ready))
  const token = (await call("connect", "--id", "bot", "--print", "Bot")).trim()
  const script = path.join(home, "example.mjs")
  fs.writeFileSync(script, ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 } }).outputText)
  const url = JSON.parse(fs.readFileSync(path.join(home, "bridge.json"), "utf8")).url
  const example = run(process.execPath, [script], { env: { ...process.env, SIGNALBOX_URL: url, SIGNALBOX_TOKEN: token } })
  const list = async (...args) => JSON.parse(await call("list", "--json", ...args)).notifications
  const [asked] = await until(async () => { const l = await list("--kind", "interaction"); return l.length && l })
  await call("answer", asked.id, "yes")
  await example
  if (!(await list()).some((n) => n.key === "crawl" && n.title === "Second site")) throw new Error("it did not tell what it shows")
} finally {
  const ended = once(center, "exit")
  center.kill()
  await ended
}
fs.rmSync(home, { recursive: true, force: true })
console.log("docs/agents/typescript.md: its example type-checks and runs")
