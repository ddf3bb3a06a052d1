import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { CommandError, type Context } from './command.ts'

/** Reads a file, or standard input for `-`. */
export async function readInput(context: Pick<Context, 'stdin' | 'stderr'>, file: string): Promise<Buffer> {
  if (file === '-') {
    if (context.stdin.isTTY) context.stderr.write('Paste the request, then press Ctrl+D on an empty line.\n')
    return buffer(context.stdin)
  }
  try {
    return await readFile(file)
  } catch (error) {
    throw new CommandError(2, `Can’t read ${file}: ${(error as Error).message}`)
  }
}
