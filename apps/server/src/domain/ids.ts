import type { Clock } from '../ports/clock.ts'
import { type Random, randomText } from '../ports/random.ts'

/** Letters and digits that are not confused when read aloud or typed from paper. */
const unambiguous = '23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'

export type IdPrefix =
  | 'org'
  | 'user'
  | 'key'
  | 'invitation'
  | 'db'
  | 'ref'
  | 'run'
  | 'req'
  | 'worker'
  | 'we'
  | 'evt'
  | 'dlv'
  | 'ntf'
  | 'automation'
  | 'arun'
  | 'chat'
  | 'feedback'
  | 'connector'
  | 'audit'
  | 'qset'
  | 'list'
  | 'evaluation'
  | 'listener'
  | 'knowledge'
  | 'version'
  | 'suggestion'
  | 'board'
  | 'tile'
  | 'tab'
  | 'image'
  | 'folder'
  | 'group'
  | 'thread'
  | 'comment'
  | 'link'
  | 'embed'
  | 'repo'
  | 'chn'
  | 'rep'
  | 'rjob'
  | 'rct'
  | 'rdl'
  | 'sq'
  | 'arc'
  | 'pin'
  | 'fill'

/** For example `run_…`: the prefix shows what the id names. 22 characters hold 127 random bits. */
export function newId(random: Random, prefix: IdPrefix): string {
  return `${prefix}_${randomText(random, unambiguous, 22)}`
}

/** The same characters in code point order. */
const ordered = unambiguous.split('').sort().join('')
const timeCharacters = 8

/**
 * An id that starts with the time, so that new rows are added next to each other in an index instead of all over it. 14 characters
 * are random, 81 bits.
 */
export function newOrderedId({ clock, random }: { clock: Clock; random: Random }, prefix: IdPrefix): string {
  return `${firstOrderedId(prefix, clock.now().getTime())}${randomText(random, unambiguous, 22 - timeCharacters)}`
}

/** In code point order, it comes before all ordered ids of this time, and after all earlier ones. */
export function firstOrderedId(prefix: IdPrefix, atMs: number): string {
  let time = ''
  let restMs = atMs
  for (let place = 0; place < timeCharacters; place++) {
    time = ordered[restMs % ordered.length]! + time
    restMs = Math.floor(restMs / ordered.length)
  }
  return `${prefix}_${time}`
}

/** When an ordered id was made; undefined if the text doesn't start with a time. */
export function timeOfOrderedId(prefix: IdPrefix, id: string): number | undefined {
  if (!id.startsWith(`${prefix}_`)) return undefined
  const time = id.slice(prefix.length + 1, prefix.length + 1 + timeCharacters)
  const places = time.split('').map((character) => ordered.indexOf(character))
  if (places.length < timeCharacters || places.includes(-1)) return undefined
  return places.reduce((ms, place) => ms * ordered.length + place, 0)
}

/** The permalink identifier: 10 characters, 57 random bits. The store rejects the rare duplicate. */
export function newShortId(random: Random): string {
  return randomText(random, unambiguous, 10)
}

export const shortIdPattern = /^[2-9a-hj-km-np-zA-HJ-NP-Z]{10}$/

/** Whether a text can be a prefixed id. Other texts are never looked up: PostgreSQL fails on a text with a NUL. */
export const isId = (text: string): boolean => /^[a-z]+_\w{1,64}$/.test(text)

/** UUID version 7: starts with the time, so that new rows are added at the end of their index. */
export function newUuid(options: { clock: Clock; random: Random }): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(options.clock.now().getTime(), 0, 6)
  bytes.set(options.random.bytes(10), 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
