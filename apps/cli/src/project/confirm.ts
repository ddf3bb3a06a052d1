import { createInterface } from 'node:readline/promises'
import { CommandError, type Context } from '../command.ts'

/** Asks a person. Without a terminal, nobody could answer. */
export async function confirm({ stdin, stdout, stderr, signal }: Context, question: string): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY) throw new CommandError(1, 'Nothing was changed. Add --yes to apply the changes without asking.')
  const lines = createInterface({ input: stdin, output: stderr as NodeJS.WritableStream & typeof stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
