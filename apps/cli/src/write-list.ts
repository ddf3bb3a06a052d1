import { CommandError, type Context } from './command.ts'
import { toCommandError } from './service-client.ts'
import { type Column, drawTable } from './table.ts'

/** The options of commands that list the newest items. */
export const limitOption = {
  limit: { type: 'string', value: 'n', default: '50', description: 'show at most this many; 0 for all (default: 50)' },
} as const

/** Infinity for all. */
export function readLimit(given: string): number {
  if (!/^\d{1,7}$/.test(given)) throw new CommandError(2, `--limit ${given} is not a number. Example: --limit 100`)
  return Number(given) || Infinity
}

export interface FirstItems<Item> {
  items: Item[]
  /** The limit, if there are more items. */
  cutAt?: number
}

/** Undefined if the command was interrupted. */
export async function readFirst<Item>(
  { signal }: Pick<Context, 'signal'>,
  list: AsyncIterable<Item>,
  maxCount = Infinity,
): Promise<FirstItems<Item> | undefined> {
  const items: Item[] = []
  try {
    for await (const item of list) {
      if (items.length === maxCount) return { items, cutAt: maxCount }
      items.push(item)
    }
    return { items }
  } catch (error) {
    if (signal.aborted) return undefined
    throw toCommandError(error)
  }
}

/** Prints items as JSON or as a table. Nothing but items goes to the standard output. */
export function writeList<Item>(
  { stdout, stderr, paint, isJson }: Context,
  { items, cutAt }: FirstItems<Item>,
  options: { columns: Column[]; rowOf(item: Item): unknown[]; whenEmpty: string },
): void {
  if (isJson) {
    stdout.write(`${JSON.stringify({ items })}\n`)
    return
  }
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  if (items.length === 0) stderr.write(`${options.whenEmpty}\n`)
  else stdout.write(drawTable({ columns: options.columns, rows: items.map(options.rowOf), width, paint: paint.stdout }).text)
  if (cutAt !== undefined) stderr.write(`${paint.stderr.dim(`Showing the first ${cutAt}. Use --limit 0 to list all.`)}\n`)
}
