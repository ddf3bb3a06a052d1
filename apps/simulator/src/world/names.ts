import { NameError } from '@querypost/server/ports'
import type { Chance } from '../chance.ts'

/** How a host name resolves. It may change: a name that was public when the endpoint was saved may be private an hour later. */
export const nameKinds = ['public', 'private', 'mixed', 'fails', 'does not exist', 'slow', 'hangs'] as const
export type NameKind = (typeof nameKinds)[number]

/** The only public addresses of this world. All others are private. */
export const publicAddresses: readonly string[] = [
  '93.184.216.34',
  '93.184.216.35',
  '8.8.4.4',
  '151.101.1.69',
  '2606:2800:220:1::1',
  '2606:2800:220:1::2',
  '104.16.1.1',
  '2a00:1450:4001::5',
]

export const privateAddresses: readonly string[] = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '192.168.1.1',
  '172.16.0.9',
  '100.64.3.3',
  '0.0.0.0',
  '168.63.129.16',
  '::1',
  '::ffff:10.0.0.1',
  'fd00::1',
  'fe80::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
]

/** The result of a lookup, and its delay (null: never). */
export interface NameAnswer {
  afterMs: number | null
  answer: string[] | NameError
}

export function answerName(kind: NameKind, chance: Chance): NameAnswer {
  const afterMs = chance.between(1, 80)
  const some = (addresses: readonly string[]) =>
    Array.from({ length: chance.between(1, 3) }, () => chance.pick(addresses))
  switch (kind) {
    case 'public':
      return { afterMs, answer: some(publicAddresses) }
    case 'private':
      return { afterMs, answer: some(privateAddresses) }
    case 'mixed': {
      const mixed = [...some(publicAddresses), ...some(privateAddresses)]
      return { afterMs, answer: chance.isTrue(0.5) ? mixed : mixed.toReversed() }
    }
    case 'fails':
      return { afterMs, answer: new NameError('SERVFAIL', false) }
    case 'does not exist':
      return { afterMs, answer: new NameError('NXDOMAIN', true) }
    case 'slow':
      return { afterMs: chance.between(2_000, 12_000), answer: some(publicAddresses) }
    case 'hangs':
      return { afterMs: null, answer: [] }
  }
}
