/**
 * The *operator's door*: a Unix socket by which a running service is asked for what only the owner of DATA_DIR can do,
 * as staging a backup. Whoever may open files in DATA_DIR is the operator; it is reached in no other way, and never
 * over the network.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** What systems allow for the address of a socket: 103 bytes on macOS, 107 on Linux. */
const addressMaxBytes = 103

const socketIn = (folder: string) => path.join(folder, 'operator.sock')
/** Where DATA_DIR lies too deep for a socket in it, or on a file system without any, this file says where the socket is. */
const noteIn = (folder: string) => path.join(folder, 'operator.path')

/** For the owner of the folder: listens where nothing stands, or not any more. */
export async function listenNear(dataDirectory: string, listen: (address: string) => Promise<void>): Promise<void> {
  await removeAddress(dataDirectory)
  const near = socketIn(dataDirectory)
  if (Buffer.byteLength(near) <= addressMaxBytes && (await succeeds(listen(near)))) return
  const far = socketIn(await mkdtemp(path.join(tmpdir(), 'querypost-')))
  await writeFile(noteIn(dataDirectory), far, { mode: 0o600 })
  await listen(far)
}

export async function findAddress(dataDirectory: string): Promise<string | undefined> {
  const noted = await readFile(noteIn(dataDirectory), 'utf8').catch(() => undefined)
  if (noted !== undefined) return noted
  return existsSync(socketIn(dataDirectory)) ? socketIn(dataDirectory) : undefined
}

/** Also that of a process that died. */
export async function removeAddress(dataDirectory: string): Promise<void> {
  const noted = await readFile(noteIn(dataDirectory), 'utf8').catch(() => undefined)
  // The folder was made for it alone; what else a note may name is left as it is.
  if (noted !== undefined && /^querypost-\w+$/.test(path.basename(path.dirname(noted)))) {
    await rm(path.dirname(noted), { recursive: true, force: true })
  }
  await rm(noteIn(dataDirectory), { force: true })
  await rm(socketIn(dataDirectory), { force: true })
}

const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  )
