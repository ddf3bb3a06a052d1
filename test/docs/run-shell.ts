import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root } from './markdown-files.ts'

/** Runs shell commands as if pasted, and resolves with their output. Rejects when a command fails. */
export function runShell(code: string, environment: Record<string, string>): Promise<string> {
  const programs = path.join(root, 'node_modules', '.bin')
  const env = { PATH: `${programs}${path.delimiter}${process.env['PATH']}`, HOME: tmpdir(), ...environment }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-eu', '-c', code], { env, cwd: tmpdir() }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}${stderr}`))
      else resolve(stdout)
    })
  })
}
