import { judgeAddress } from './judge-address.ts'
import { parseAddress } from './ranges.ts'
import type { AddressRules, Judged } from './rules.ts'

const maxUrlCharacters = 2048

/** Names that resolve differently, or not at all, depending on the network. Each includes all its subdomains. */
const localNames = ['localhost', 'local', 'internal', 'home.arpa']

export interface JudgedUrl {
  url: URL
  /** The host if it is an address, in place of DNS answers. Null if it is a name. */
  literal: string[] | null
}

/**
 * Whether a text can be the URL of a webhook endpoint. The parsed URL is checked and used from then on, never the text: the parser
 * accepts dozens of spellings of 127.0.0.1 and normalizes them to one.
 */
export function judgeUrl(text: string, rules: AddressRules): Judged<JudgedUrl> {
  const tooLong = { fault: `The URL must have at most ${maxUrlCharacters} characters.` }
  if (text.length > maxUrlCharacters) return tooLong
  const url = URL.parse(text)
  if (!url) return { fault: 'This is not a URL. Use the form https://hooks.example.com/path.' }
  // Parsing can lengthen it: non-ASCII characters are percent-encoded.
  if (url.href.length > maxUrlCharacters) return tooLong
  if (url.protocol !== 'https:') return { fault: 'The URL must begin with https://.' }
  if (url.username !== '' || url.password !== '') {
    return { fault: 'The URL must not carry a user name or password; verify the signature instead.' }
  }
  // `hash` is empty for a bare '#' at the end; anywhere else the parser has encoded it.
  if (url.href.includes('#')) return { fault: 'The URL must not have a fragment (the part from # on).' }
  if (url.port === '0') return { fault: 'The URL must not have port 0.' }
  if (isSameService(url, rules.ownUrl)) return { fault: "The URL must not be this service's own address." }
  const address = withoutBrackets(url.hostname)
  if (parseAddress(address)) {
    const judged = judgeAddress(address, rules)
    return 'fault' in judged ? judged : { url, literal: [address] }
  }
  const fault = findNameFault(withoutRootDot(url.hostname))
  return fault === undefined ? { url, literal: null } : { fault }
}

function findNameFault(name: string): string | undefined {
  if (localNames.some((local) => name === local || name.endsWith(`.${local}`))) {
    return `The host name ${name} is local. Use a publicly resolvable name.`
  }
  if (!isHostName(name)) return 'The host name is not valid.'
  if (!name.includes('.')) return `The host name ${name} has a single part, so it is local. Use the full name.`
  return undefined
}

/** Another port of the same host is another service. */
function isSameService(url: URL, own: URL): boolean {
  return withoutRootDot(url.hostname) === withoutRootDot(own.hostname) && effectivePort(url) === effectivePort(own)
}

function effectivePort(url: URL): string {
  if (url.port !== '') return url.port
  return url.protocol === 'https:' ? '443' : '80'
}

/** Letters, digits, hyphens and underscores (some receivers have them), in labels of valid DNS length. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

function withoutRootDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
