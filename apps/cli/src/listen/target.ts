import { Complaint } from '../command.ts'

/** Where events are forwarded to. */
export interface Target {
  url: URL
  /** Sent beside those of the event, and in their place where they have the same name. */
  headers: Record<string, string>
}

export function readTarget(typed: string, headers: string[]): Target {
  // `localhost:4000/hook` is what people have in mind.
  const text = typed.includes('://') ? typed : `http://${typed}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Complaint(2, `${typed} is not an address to forward to. Example: --forward http://localhost:4000/hook`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    const why = 'is another machine, and everybody on the way to it could read along'
    throw new Complaint(2, `${url.hostname} ${why}: forward to https, or to localhost.`)
  }
  return { url, headers: Object.fromEntries(headers.map(readHeader)) }
}

const isLoopback = (hostname: string) => /^(localhost|.+\.localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)

function readHeader(typed: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):\s*([\t\x20-\x7e]*)$/.exec(typed) ?? []
  if (name === undefined || value === undefined) {
    throw new Complaint(2, `"${typed}" is not a header. Example: --header "x-environment: development"`)
  }
  return [name.toLowerCase(), value.trim()]
}
