import { CommandError } from '../command.ts'

/** Where events are forwarded to. */
export interface Target {
  url: URL
  /** Sent in addition to the event's headers. Replaces those with the same name. */
  headers: Record<string, string>
}

export function readTarget(typed: string, headers: string[]): Target {
  // People also type `localhost:4000/hook`.
  const text = typed.includes('://') ? typed : `http://${typed}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(2, `${typed} is not a URL to forward to. Example: --forward http://localhost:4000/hook`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const reason = 'is another machine, so the events would be sent unencrypted'
    throw new CommandError(2, `${url.hostname} ${reason}. Use https, or forward to localhost.`)
  }
  return { url, headers: Object.fromEntries(headers.map(readHeader)) }
}

const isLoopback = (hostname: string) => /^(localhost|.+\.localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)

function readHeader(typed: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*([\t\x20-\x7e]*)$/.exec(typed) ?? []
  if (name === undefined || value === undefined) {
    throw new CommandError(2, `"${typed}" is not a header. Example: --header "x-environment: development"`)
  }
  return [name.toLowerCase(), value.trim()]
}
