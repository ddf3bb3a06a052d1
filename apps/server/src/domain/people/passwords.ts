import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { type Random, randomText } from '../../ports/random.ts'
import { badInput } from './check-text.ts'

/** Parameters of scrypt: `ln` is the logarithm of N to base 2. */
export interface PasswordCost {
  ln: number
  r: number
  p: number
}

/**
 * Passwords are stored as `scrypt$ln=15,r=8,p=1$<salt>$<digest>` (base64url): each hash contains its parameters, so they can be
 * raised later without invalidating old hashes.
 *
 * ln=15 costs each guess 32 MiB and, on the slow two-core machine we measure on, about 120 ms of one core (ln=14: 45 ms, ln=16: 205
 * ms, ln=17: 440 ms). More would be noticeable at sign-in, and the required password length does more against guessing than another
 * doubling.
 */
const usualCost: PasswordCost = { ln: 15, r: 8, p: 1 }

export interface PasswordDeps {
  random: Random
  /** Default: the usual cost. Tests of everything but the hash choose a lower one. */
  passwordCost?: PasswordCost
}

const saltBytes = 16
const digestBytes = 32

const minCharacters = 12
const maxCharacters = 256

/** No known password has this digest. It is verified in place of a missing hash, so that both cases take the same time. */
export const unmatchableHash = encode({ ...usualCost, salt: Buffer.alloc(saltBytes), digest: Buffer.alloc(digestBytes) })

/** `path`: the password's field in the request, used in the error for a password that is too short. */
export async function hashPassword(deps: PasswordDeps, password: string, path = '/password'): Promise<string> {
  checkPassword(password, path)
  const { random, passwordCost: cost = usualCost } = deps
  const salt = Buffer.from(random.bytes(saltBytes))
  return encode({ ...cost, salt, digest: await digestOf(password, { ...cost, salt }) })
}

/** Returns false, after the same work, for a stored text that is not one of our hashes. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const stored = decode(hash) ?? decode(unmatchableHash)!
  return timingSafeEqual(await digestOf(password, stored), stored.digest)
}

/** 20 characters without look-alikes (99 random bits), in groups for easier typing. */
export function generatePassword(random: Random): string {
  const text = randomText(random, '23456789abcdefghjkmnpqrstuvwxyz', 20)
  return [text.slice(0, 5), text.slice(5, 10), text.slice(10, 15), text.slice(15)].join('-')
}

function checkPassword(password: string, path: string): void {
  const count = Array.from(normalize(password)).length
  if (count < minCharacters) {
    throw badInput(path, `must have at least ${minCharacters} characters; it has ${count}`)
  }
  if (count > maxCharacters) {
    throw badInput(path, `must have at most ${maxCharacters} characters; it has ${count}`)
  }
  // Every unpaired surrogate would be hashed as the same replacement character.
  if (!password.isWellFormed()) throw badInput(path, 'must be well-formed Unicode text')
}

/**
 * Keyboards differ in whether `é` is one character or two; NFC makes it one. NFKC would also merge characters that the owner meant
 * to be different.
 */
function normalize(password: string): string {
  return password.normalize('NFC')
}

interface StoredPassword extends PasswordCost {
  salt: Buffer
  digest: Buffer
}

function encode({ ln, r, p, salt, digest }: StoredPassword): string {
  return `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${digest.toString('base64url')}`
}

function decode(hash: string): StoredPassword | undefined {
  const parts = /^scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]{43})$/.exec(hash)
  if (!parts) return undefined
  const [ln, r, p] = parts.slice(1, 4).map(Number) as [number, number, number]
  const [salt, digest] = parts.slice(4).map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
  return { ln, r, p, salt, digest }
}

function digestOf(password: string, { ln, r, p, salt }: Omit<StoredPassword, 'digest'>): Promise<Buffer> {
  const memoryBytes = 128 * 2 ** ln * r
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 2 * memoryBytes }
  return new Promise((resolve, reject) => {
    scrypt(normalize(password), salt, digestBytes, options, (error, digest) => (error ? reject(error) : resolve(digest)))
  })
}
