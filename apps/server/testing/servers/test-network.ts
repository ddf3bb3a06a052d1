import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Authority, makeAuthority, trust } from './certificates.ts'
import {
  type Answer,
  type Listener,
  type Received,
  type Receiver,
  type ReceiverOptions,
  startListener,
  startReceiver,
} from './https-receiver.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { makeNetwork, type NetworkOptions } from '../../src/ports/network/make-network.ts'
import type { Network, PostRequest, VettedAddress } from '../../src/ports/network/network.ts'

let authority: Authority
let pair: { key: string; cert: string }
const started: { close(): Promise<void> }[] = []

/** For a test file: trusts an authority while its tests run, and closes everything they start. */
export function prepareNetworkTests(): void {
  let endTrust: () => void
  beforeAll(async () => {
    authority = await makeAuthority()
    pair = await authority.issue({ names: ['hooks.example.com', 'other.example.com', '127.0.0.1'] })
    endTrust = trust(authority)
  })
  afterEach(closeStarted)
  afterAll(() => endTrust())
}

export async function closeStarted(): Promise<void> {
  for (const thing of started.splice(0).toReversed()) await thing.close()
}

export const trusted = (): Authority => authority

/** A receiver that answers every request the same way, or as the function decides. */
export async function receiver(
  answer: Answer | { by: (request: Received) => Answer },
  options: Partial<ReceiverOptions> = {},
): Promise<Receiver> {
  const by = 'by' in answer ? answer.by : () => answer
  const made = await startReceiver({ ...pair, answer: by, ...options })
  started.push(made)
  return made
}

export async function listener(options: Parameters<typeof startListener>[0] = {}): Promise<Listener> {
  const made = await startListener(options)
  started.push(made)
  return made
}

export function network(options: Partial<NetworkOptions> = {}): Network {
  const made = makeNetwork({ clock: systemClock, ...options })
  started.push(made)
  return made
}

export function to(
  { port }: { port: number },
  { hostname = 'hooks.example.com', addresses = ['127.0.0.1'], ...rest }: Options = {},
): PostRequest {
  return {
    connectionsOf: 'we_1',
    url: new URL(`https://${hostname}:${port}/hooks/a?b=c`),
    addresses: addresses as VettedAddress[],
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body: Buffer.from('{"id":"evt_1"}'),
    signal: new AbortController().signal,
    responseMaxBytes: 65_536,
    responseKeptBytes: 16,
    ...rest,
  }
}

interface Options extends Partial<Omit<PostRequest, 'addresses'>> {
  hostname?: string
  addresses?: string[]
}
