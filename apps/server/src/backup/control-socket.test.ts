import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pollPause } from '../../testing/poll-pause.ts'
import { silentLog as log } from '../../testing/silent-log.ts'
import { findSocketPath, listenInOrNear, removeSocket } from './control-socket-path.ts'
import { type ControlSocket, openControlSocket } from './control-socket.ts'
import { requestStagedBackup } from './request-staged-backup.ts'
import type { Staged } from './stage.ts'

let dataDirectory: string
let socket: ControlSocket | undefined
const signal = new AbortController().signal
const requestBackup = () => requestStagedBackup({ dataDirectory, signal })
const staged = () => path.join(dataDirectory, 'staged')

async function stage(): Promise<Staged> {
  await mkdir(staged())
  return { folder: staged(), checkpointMs: 1, heldMs: 2 } as Staged
}

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'qp-'))
})
afterEach(async () => {
  await socket?.close()
  socket = undefined
  await rm(dataDirectory, { recursive: true })
})

test('keeps a staged backup until it is released, then removes it', async () => {
  socket = await openControlSocket({ dataDirectory, stage, log })
  expect((await stat((await findSocketPath(dataDirectory))!)).mode & 0o777).toBe(0o600)
  const held = await requestBackup()
  expect(held!.staged).toMatchObject({ folder: staged(), heldMs: 2 })
  await expect(requestBackup()).rejects.toThrow('Another backup is in progress')
  expect(existsSync(staged())).toBe(true)
  await held!.release()
  while (existsSync(staged())) await pollPause()
  const again = await requestBackup()
  expect(again!.staged.folder).toBe(staged())
  await again!.release()
})

test('a request waits until the previous backup is removed', async () => {
  const many = async () => {
    const made = await stage()
    await Promise.all(Array.from({ length: 2000 }, (_, index) => writeFile(path.join(made.folder, String(index)), '')))
    return made
  }
  socket = await openControlSocket({ dataDirectory, stage: many, log })
  await (await requestBackup())!.release()
  while ((await readdir(staged()).catch(() => [])).length === 2000) await pollPause()
  const again = await requestBackup()
  expect(await readdir(staged())).toHaveLength(2000)
  await again!.release()
})

test('a service that stops removes the staged backup and aborts the client', async () => {
  socket = await openControlSocket({ dataDirectory, stage, log })
  const held = await requestBackup()
  await socket.close()
  socket = undefined
  expect(existsSync(staged())).toBe(false)
  while (!held!.signal.aborted) await pollPause()
  expect(held!.signal.reason).toMatchObject({ message: 'The service stopped during the backup. Try again.' })
  expect(await findSocketPath(dataDirectory)).toBeUndefined()
})

test('staging stops when the client disconnects', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>()
  socket = await openControlSocket({
    dataDirectory,
    stage: (signal) => {
      resolve(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    },
    log,
  })
  const gone = new AbortController()
  const requesting = requestStagedBackup({ dataDirectory, signal: gone.signal })
  const staging = await begun
  gone.abort(new Error('interrupted'))
  await expect(requesting).rejects.toThrow('interrupted')
  while (!staging.aborted) await pollPause()
})

test('reports why staging failed', async () => {
  socket = await openControlSocket({ dataDirectory, stage: () => Promise.reject(new Error('the disk is full')), log })
  await expect(requestBackup()).rejects.toThrow('the disk is full')
})

test('rejects any other request', async () => {
  socket = await openControlSocket({ dataDirectory, stage, log })
  const socketPath = (await findSocketPath(dataDirectory))!
  const status = await new Promise((resolve) => {
    request({ socketPath, path: '/backup' }, (answer) => resolve(answer.resume().statusCode)).end()
  })
  expect(status).toBe(404)
})

test('finds no service where none has run, or where it was killed', async () => {
  expect(await requestBackup()).toBeUndefined()
  // Closing a server removes its socket; a kill leaves it behind.
  const killed = createServer()
  const address = path.join(dataDirectory, 'operator.sock')
  await new Promise<void>((resolve) => void killed.listen(address, resolve))
  await rename(address, `${address}.kept`)
  await new Promise((resolve) => killed.close(resolve))
  await rename(`${address}.kept`, address)
  expect(await requestBackup()).toBeUndefined()
  socket = await openControlSocket({ dataDirectory, stage, log })
  await (await requestBackup())!.release()
})

test('on a file system without sockets, the socket is in the temporary directory', async () => {
  const tried: string[] = []
  await listenInOrNear(dataDirectory, async (address) => {
    if (tried.push(address) === 1) throw new Error('listen EOPNOTSUPP')
  })
  expect(tried).toEqual([path.join(dataDirectory, 'operator.sock'), await findSocketPath(dataDirectory)])
  await removeSocket(dataDirectory)
  expect([await findSocketPath(dataDirectory), existsSync(path.dirname(tried[1]!))]).toEqual([undefined, false])
})

test('with a path too long for a socket, a pointer file names the socket; the service removes both', async () => {
  const home = dataDirectory
  dataDirectory = path.join(home, 'deep'.repeat(30))
  await mkdir(dataDirectory)
  socket = await openControlSocket({ dataDirectory, stage, log })
  const address = await readFile(path.join(dataDirectory, 'operator.path'), 'utf8')
  expect(address.length).toBeLessThan(104)
  expect((await stat(path.dirname(address))).mode & 0o777).toBe(0o700)
  await (await requestBackup())!.release()
  await socket.close()
  socket = undefined
  expect([existsSync(path.dirname(address)), existsSync(path.join(dataDirectory, 'operator.path'))]).toEqual([false, false])
  dataDirectory = home
})
