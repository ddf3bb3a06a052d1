import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Complaint, type Context } from './command.ts'

/** The bytes of a file, or of the standard input for `-`. */
export async function readInput(context: Pick<Context, 'stdin' | 'stderr'>, file: string): Promise<Buffer> {
  if (file === '-') {
    if (context.stdin.isTTY) context.stderr.write('Paste the request, then press Ctrl-D on a line of its own.\n')
    return buffer(context.stdin)
  }
  try {
    return await readFile(file)
  } catch (error) {
    throw new Complaint(2, `${file} cannot be read: ${(error as Error).message}`)
  }
}
