/**
 * The *control socket*: a Unix socket for requests that only the owner of DATA_DIR may make, such as staging a backup. File
 * permissions are the authentication: anyone who can open files in DATA_DIR is the operator. It is never reachable over the network.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The longest socket path that every system allows: 103 bytes on macOS, 107 on Linux. */
const pathMaxBytes = 103

const socketIn = (folder: string) => path.join(folder, 'operator.sock')
/** If the path of DATA_DIR is too long for a socket, or its file system has no sockets, this file holds the path of the socket. */
const pointerIn = (folder: string) => path.join(folder, 'operator.path')

/** Listens in DATA_DIR if possible, otherwise in the system's temporary directory. Only for the owner of the folder. */
export async function listenInOrNear(dataDirectory: string, listen: (socketPath: string) => Promise<void>): Promise<void> {
  await removeSocket(dataDirectory)
  const inside = socketIn(dataDirectory)
  if (Buffer.byteLength(inside) <= pathMaxBytes && (await succeeds(listen(inside)))) return
  const outside = socketIn(await mkdtemp(path.join(tmpdir(), 'querypost-')))
  await writeFile(pointerIn(dataDirectory), outside, { mode: 0o600 })
  await listen(outside)
}

export async function findSocketPath(dataDirectory: string): Promise<string | undefined> {
  const outside = await readFile(pointerIn(dataDirectory), 'utf8').catch(() => undefined)
  if (outside !== undefined) return outside
  return existsSync(socketIn(dataDirectory)) ? socketIn(dataDirectory) : undefined
}

/** Also removes the socket of a process that died. */
export async function removeSocket(dataDirectory: string): Promise<void> {
  const outside = await readFile(pointerIn(dataDirectory), 'utf8').catch(() => undefined)
  // Only remove a folder that was created for the socket, in case the pointer was edited.
  if (outside !== undefined && /^querypost-\w+$/.test(path.basename(path.dirname(outside)))) {
    await rm(path.dirname(outside), { recursive: true, force: true })
  }
  await rm(pointerIn(dataDirectory), { force: true })
  await rm(socketIn(dataDirectory), { force: true })
}

const succeeds = (work: Promise<void>) =>
  work.then(
    () => true,
    () => false,
  )
