import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type pg from 'pg'

/** Keeps a process and its threads on these processors. Processes that it starts later stay there, too. */
export const pin = (pid: number, processors: string) => promisify(execFile)('taskset', ['-apc', processors, String(pid)])

/** Keeps the backends of PostgreSQL that serve a process on these processors: each call those of connections that are new. */
export function makeBackendPin(client: pg.Client, options: { pid: number; processors: string }): () => Promise<void> {
  const pinned = new Set<number>()
  return async () => {
    const ports = await localPortsOf(options.pid)
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity where client_port = any($1::integer[])', [ports])
    for (const { pid } of rows) {
      if (pinned.has(pid)) continue
      pinned.add(pid)
      await pin(pid, options.processors)
    }
  }
}

async function localPortsOf(pid: number): Promise<number[]> {
  const links = await Promise.all((await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  // A line of /proc/net/tcp, see proc(5): number, local address and port in hexadecimal digits, …, and the inode as the tenth field.
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1)
  const fields = lines.map((line) => line.trim().split(/\s+/))
  return fields.filter((each) => own.has(each[9]!)).map((each) => Number.parseInt(each[1]!.split(':')[1]!, 16))
}
