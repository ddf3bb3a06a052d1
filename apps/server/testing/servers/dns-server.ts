import type { RemoteInfo } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as dnsPacket from 'dns-packet'

export interface DnsQuestion {
  name: string
  type: 'A' | 'AAAA'
  /** How many times this name and type was requested before. */
  number: number
}

export interface DnsReply {
  /** Addresses of the requested family. */
  addresses?: string[]
  /** The canonical name (CNAME), which the addresses then belong to. */
  alias?: string
  code?: 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED'
  /** Refers to TCP for the full answer, where nothing listens. */
  isTruncated?: boolean
  /** Sent instead of a valid message. */
  garbage?: Buffer
}

export interface DnsServer {
  /** The address in the format of `setServers`. */
  readonly address: string
  /** All questions so far, as `name type`. */
  readonly asked: string[]
  close(): Promise<void>
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/** A scripted DNS server on loopback (UDP) that answers at once, late, or (with null) never. */
export async function startDnsServer(
  reply: (question: DnsQuestion) => DnsReply | null | Promise<DnsReply | null>,
): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')

  async function answer(message: Buffer, from: RemoteInfo): Promise<void> {
    const query = dnsPacket.decode(message)
    const { name, type } = query.questions![0]!
    const line = `${name} ${type}`
    const number = asked.filter((earlier) => earlier === line).length
    asked.push(line)
    const given = await reply({ name, type: type as 'A' | 'AAAA', number })
    if (given && !isClosed) socket.send(given.garbage ?? encode(query, given), from.port, from.address)
  }

  let isClosed = false
  socket.on('message', (message, from) => void answer(message, from))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      isClosed = true
      socket.close()
      await once(socket, 'close')
    },
  }
}

function encode(query: dnsPacket.DecodedPacket, { addresses = [], alias, code, isTruncated }: DnsReply): Buffer {
  const { name, type } = query.questions![0]!
  const records: dnsPacket.Answer[] = addresses.map((data) => ({
    type: type as 'A' | 'AAAA',
    name: alias ?? name,
    ttl: 300,
    data,
  }))
  return dnsPacket.encode({
    type: 'response',
    id: query.id!,
    flags:
      dnsPacket.RECURSION_DESIRED |
      dnsPacket.RECURSION_AVAILABLE |
      (isTruncated ? dnsPacket.TRUNCATED_RESPONSE : 0) |
      (code ? codes[code] : 0),
    questions: query.questions!,
    answers: alias === undefined ? records : [{ type: 'CNAME', name, ttl: 300, data: alias }, ...records],
  })
}
