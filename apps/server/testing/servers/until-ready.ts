import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Resolves when a server prints on stderr that it is ready; rejects with its output if it ends first. */
export function untilReady(server: ChildProcess, { name, text }: { name: string; text: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const output: string[] = []
    createInterface(server.stderr!).on('line', (line) => {
      output.push(line)
      if (line.includes(text)) resolve()
    })
    server.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${output.join('\n')}`)))
  })
}
