import { judgeAddress } from './judge-address.ts'
import { parseAddress } from './ranges.ts'
import type { AddressRules, Judged } from './rules.ts'

const maxUrlCharacters = 2048

/** Names that mean something else, or nothing, depending on where they are asked for. Each with everything below it. */
const localNames = ['localhost', 'local', 'internal', 'home.arpa']

export interface JudgedUrl {
  url: URL
  /** The host when it is an address, in the place of DNS's answers: there is nobody to ask. Null when it is a name. */
  literal: string[] | null
}

/**
 * Whether a text can be a webhook endpoint's URL. It is the parsed URL that is judged and used from then on, never the
 * text: the parser knows dozens of spellings of 127.0.0.1, and it leaves only one.
 */
export function judgeUrl(text: string, rules: AddressRules): Judged<JudgedUrl> {
  const tooLong = { fault: `The URL must have at most ${maxUrlCharacters} characters.` }
  if (text.length > maxUrlCharacters) return tooLong
  const url = URL.parse(text)
  if (!url) return { fault: 'This is not a URL. Write it as https://hooks.example.com/path.' }
  // Parsing can lengthen it: what is not ASCII gets percent-encoded.
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
    return `The host name ${name} is a local one. Use a name that everybody can resolve.`
  }
  if (!isHostName(name)) return 'The host name is not a valid one.'
  if (!name.includes('.')) return `The host name ${name} has a single part, so it is a local one. Use the full name.`
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

/** Letters, digits, hyphens and (as receivers do have them) underscores, in parts of the lengths that DNS can carry. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
}

function withoutRootDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
