import { rename, writeFile } from 'node:fs/promises'
import { CommandError } from '../command.ts'
import type { Target } from './target.ts'

/** Writes an event's request as it goes over the wire, in place of the previous one, for `querypost verify --request`. */
export async function saveRequest(
  file: string,
  target: Target | null,
  event: { headers: Record<string, string>; body: string },
): Promise<void> {
  const headers = Object.entries({ ...event.headers, ...target?.headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const part = `${file}.part`
  try {
    await writeFile(part, `POST ${target?.url.pathname ?? '/'} HTTP/1.1\r\n${headers.join('')}\r\n${event.body}`)
    await rename(part, file)
  } catch (error) {
    throw new CommandError(1, `Can’t write ${file}: ${(error as Error).message}`)
  }
}
