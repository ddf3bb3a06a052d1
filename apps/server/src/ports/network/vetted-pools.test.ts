import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fetch } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTcpSocket } from './dial-tls.ts'
import type { VettedAddress } from './network.ts'
import { type Connect, makeVettedPools } from './vetted-pools.ts'

let server: Server
let url: URL
beforeEach(async () => {
  server = createServer((_request, response) => response.end('ok'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const addresses = ['127.0.0.1'] as VettedAddress[]

test('a pool stays while it has a connection, and is removed with the last one', async () => {
  const connect: Connect = async ({ port }) => {
    const socket = openTcpSocket({ host: '127.0.0.1', port: Number(port) })
    await once(socket, 'connect')
    return socket
  }
  const pools = makeVettedPools({ connect })
  const { pool, release } = pools.take(url, addresses)
  expect(pools.take(url, addresses).pool).toBe(pool)
  expect(pools.take(url, ['127.0.0.2'] as VettedAddress[]).pool).not.toBe(pool)
  expect(pools.poolCount()).toBe(2)
  await (await fetch(url, { dispatcher: pool })).text()
  release()
  expect(pools.poolCount()).toBe(2)
  await pools.destroy()
  expect(pools.poolCount()).toBe(0)
})

test('a pool without a connection is removed when its request is over', async () => {
  const pools = makeVettedPools({ connect: () => Promise.reject(new Error('no connection')) })
  const { pool, release } = pools.take(url, addresses)
  await expect(fetch(url, { dispatcher: pool })).rejects.toThrow('fetch failed')
  expect(pools.poolCount()).toBe(1)
  release()
  expect(pools.poolCount()).toBe(0)
})

test('a pool whose connections the server ends is removed', async () => {
  const connect: Connect = async ({ port }) => {
    const socket = openTcpSocket({ host: '127.0.0.1', port: Number(port) })
    await once(socket, 'connect')
    return socket
  }
  const pools = makeVettedPools({ connect })
  const { pool, release } = pools.take(url, addresses)
  await (await fetch(url, { dispatcher: pool })).text()
  release()
  const ended = once(pool, 'disconnect')
  server.closeAllConnections()
  await ended
  expect(pools.poolCount()).toBe(0)
})
