import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Resolves when a server has said on stderr that it is ready; rejects with all it has said when it ends before. */
export function saidReady(server: ChildProcess, { name, words }: { name: string; words: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    createInterface(server.stderr!).on('line', (line) => {
      said.push(line)
      if (line.includes(words)) resolve()
    })
    server.once('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${said.join('\n')}`)))
  })
}
