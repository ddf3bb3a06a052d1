import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Runs programs one after another in a single process, because starting Python takes longer than a request. */
export interface PythonRunner {
  /** Resolves with everything that the program prints. Rejects when it fails. */
  run(code: string, environment: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

export function startPythonRunner(): PythonRunner {
  const program = fileURLToPath(new URL('python-process.py', import.meta.url))
  const child = spawn('python3', [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(code, environment) {
      child.stdin.write(`${JSON.stringify({ code, environment })}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('Python has exited.')
      const { output, error } = JSON.parse(value) as { output: string; error?: string }
      if (error !== undefined) throw new Error(error)
      return output
    },
    async stop() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}
