import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { giveWay } from '../../testing/give-way.ts'
import { silentLog as log } from '../../testing/silent-log.ts'
import { askForStaged } from './ask-operator.ts'
import { findAddress, listenNear, removeAddress } from './operator-address.ts'
import { openOperatorDoor, type OperatorDoor } from './operator-door.ts'
import type { Staged } from './stage.ts'

let dataDirectory: string
let door: OperatorDoor | undefined
const signal = new AbortController().signal
const ask = () => askForStaged({ dataDirectory, signal })
const staged = () => path.join(dataDirectory, 'staged')

async function stage(): Promise<Staged> {
  await mkdir(staged())
  return { folder: staged(), checkpointMs: 1, heldMs: 2 } as Staged
}

beforeEach(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), 'qp-'))
})
afterEach(async () => {
  await door?.close()
  door = undefined
  await rm(dataDirectory, { recursive: true })
})

test('what was staged is the asker’s until it is given back, and then it is removed', async () => {
  door = await openOperatorDoor({ dataDirectory, stage, log })
  expect((await stat((await findAddress(dataDirectory))!)).mode & 0o777).toBe(0o600)
  const lent = await ask()
  expect(lent!.staged).toMatchObject({ folder: staged(), heldMs: 2 })
  await expect(ask()).rejects.toThrow('Another backup is being made')
  expect(existsSync(staged())).toBe(true)
  await lent!.giveBack()
  while (existsSync(staged())) await giveWay()
  const again = await ask()
  expect(again!.staged.folder).toBe(staged())
  await again!.giveBack()
})

test('who asks while what was given back is still being removed waits for that', async () => {
  const many = async () => {
    const made = await stage()
    await Promise.all(Array.from({ length: 2000 }, (_, index) => writeFile(path.join(made.folder, String(index)), '')))
    return made
  }
  door = await openOperatorDoor({ dataDirectory, stage: many, log })
  await (await ask())!.giveBack()
  while ((await readdir(staged()).catch(() => [])).length === 2000) await giveWay()
  const again = await ask()
  expect(await readdir(staged())).toHaveLength(2000)
  await again!.giveBack()
})

test('a service that stops takes it back, and says so', async () => {
  door = await openOperatorDoor({ dataDirectory, stage, log })
  const lent = await ask()
  await door.close()
  door = undefined
  expect(existsSync(staged())).toBe(false)
  while (!lent!.signal.aborted) await giveWay()
  expect(lent!.signal.reason).toMatchObject({ message: 'The service has stopped meanwhile. Try again.' })
  expect(await findAddress(dataDirectory)).toBeUndefined()
})

test('an asker who goes before the end stops the staging', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<AbortSignal>()
  door = await openOperatorDoor({
    dataDirectory,
    stage: (signal) => {
      resolve(signal)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    },
    log,
  })
  const gone = new AbortController()
  const asking = askForStaged({ dataDirectory, signal: gone.signal })
  const staging = await begun
  gone.abort(new Error('interrupted'))
  await expect(asking).rejects.toThrow('interrupted')
  while (!staging.aborted) await giveWay()
})

test('a staging that fails is told in words', async () => {
  door = await openOperatorDoor({ dataDirectory, stage: () => Promise.reject(new Error('the disk is full')), log })
  await expect(ask()).rejects.toThrow('the disk is full')
})

test('it answers nothing else', async () => {
  door = await openOperatorDoor({ dataDirectory, stage, log })
  const socketPath = (await findAddress(dataDirectory))!
  const status = await new Promise((resolve) => {
    request({ socketPath, path: '/backup' }, (answer) => resolve(answer.resume().statusCode)).end()
  })
  expect(status).toBe(404)
})

test('where nobody listens, nobody is asked: never a service, or one that was killed', async () => {
  expect(await ask()).toBeUndefined()
  // Closing takes a socket away; a kill leaves it behind.
  const killed = createServer()
  const address = path.join(dataDirectory, 'operator.sock')
  await new Promise<void>((resolve) => void killed.listen(address, resolve))
  await rename(address, `${address}.kept`)
  await new Promise((resolve) => killed.close(resolve))
  await rename(`${address}.kept`, address)
  expect(await ask()).toBeUndefined()
  door = await openOperatorDoor({ dataDirectory, stage, log })
  await (await ask())!.giveBack()
})

test('a folder on a file system without sockets has it elsewhere', async () => {
  const tried: string[] = []
  await listenNear(dataDirectory, async (address) => {
    if (tried.push(address) === 1) throw new Error('listen EOPNOTSUPP')
  })
  expect(tried).toEqual([path.join(dataDirectory, 'operator.sock'), await findAddress(dataDirectory)])
  await removeAddress(dataDirectory)
  expect([await findAddress(dataDirectory), existsSync(path.dirname(tried[1]!))]).toEqual([undefined, false])
})

test('a folder too deep for a socket has a note where the socket is, and both go with the service', async () => {
  const home = dataDirectory
  dataDirectory = path.join(home, 'deep'.repeat(30))
  await mkdir(dataDirectory)
  door = await openOperatorDoor({ dataDirectory, stage, log })
  const address = await readFile(path.join(dataDirectory, 'operator.path'), 'utf8')
  expect(address.length).toBeLessThan(104)
  expect((await stat(path.dirname(address))).mode & 0o777).toBe(0o700)
  await (await ask())!.giveBack()
  await door.close()
  door = undefined
  expect([existsSync(path.dirname(address)), existsSync(path.join(dataDirectory, 'operator.path'))]).toEqual([false, false])
  dataDirectory = home
})
