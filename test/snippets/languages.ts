import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@querypost/server/testing'

/**
 * Terms:
 * - receiver: a file of docs/webhooks/receivers, as shown in the documentation and in the web app.
 * - judge: a small program that applies the receiver's function to each request of vectors.json, prints one verdict per line, and then
 *   starts the receiver. So each language needs one process and one compilation.
 */
export interface Language {
  name: string
  /** Relative to docs/webhooks/receivers. */
  file: string
  isInstalled: boolean
  /** Compiling it takes half a CPU minute, so it is tested only with `RECEIVERS=all`. */
  isSlow?: boolean
  /** The commands to run one after another; the last one serves. The folder has the receiver, the judge and vectors.json. */
  prepare(folder: string): Promise<{ command: string; args: string[] }[]>
}

export const receiversFolder = fileURLToPath(new URL('../../docs/webhooks/receivers/', import.meta.url))
const judgesFolder = fileURLToPath(new URL('./judges/', import.meta.url))

/** A version older than the receiver needs counts as missing, such as the Ruby of macOS. */
function isThere(command: string, argument: string, oldest: [major: number, minor: number]): boolean {
  try {
    return isAtLeast(execFileSync(command, [argument], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }), oldest)
  } catch {
    return false
  }
}

/** Compares the first version number in a program's output: `openjdk 17.0.15`, `go version go1.26.8`. */
export function isAtLeast(output: string, [oldestMajor, oldestMinor]: [number, number]): boolean {
  const [, major, minor = 0] = (/(\d+)(?:\.(\d+))?/.exec(output) ?? ['', -1]).map(Number)
  return major! > oldestMajor || (major === oldestMajor && (minor || 0) >= oldestMinor)
}

const receiverOf = (file: string) => path.join(receiversFolder, file)
const copy = (from: string, folder: string) => copyFileSync(from, path.join(folder, path.basename(from)))

/** Copies the receiver and its judge into a new folder. */
function bringTogether(folder: string, file: string, judge: string) {
  copy(receiverOf(file), folder)
  copy(path.join(judgesFolder, judge), folder)
}

export const languages: Language[] = [
  {
    name: 'node',
    file: 'node/receiver.mjs',
    isInstalled: true,
    async prepare(folder) {
      bringTogether(folder, this.file, 'judge.mjs')
      return [{ command: process.execPath, args: ['judge.mjs'] }]
    },
  },
  {
    name: 'python',
    file: 'python/receiver.py',
    isInstalled: isThere('python3', '--version', [3, 9]),
    async prepare(folder) {
      bringTogether(folder, this.file, 'judge.py')
      return [{ command: 'python3', args: ['-u', '-B', 'judge.py'] }]
    },
  },
  {
    name: 'go',
    file: 'go/receiver.go',
    isInstalled: isThere('go', 'version', [1, 22]),
    // Without a build cache, Go's HTTP server is compiled, too.
    isSlow: true,
    async prepare(folder) {
      bringTogether(folder, this.file, 'judge.go')
      await promisify(execFile)('go', ['build', '-o', 'receiver', 'receiver.go', 'judge.go'], { cwd: folder })
      return [{ command: path.join(folder, 'receiver'), args: [] }]
    },
  },
  {
    name: 'ruby',
    file: 'ruby/receiver.ru',
    isInstalled: isThere('ruby', '--version', [3, 0]),
    async prepare(folder) {
      bringTogether(folder, this.file, 'judge.rb')
      return [{ command: 'ruby', args: ['judge.rb'] }]
    },
  },
  {
    name: 'php',
    file: 'php/receiver.php',
    isInstalled: isThere('php', '--version', [8, 1]),
    async prepare(folder) {
      bringTogether(folder, this.file, 'judge.php')
      return [
        { command: 'php', args: ['judge.php'] },
        { command: 'php', args: ['-S', `127.0.0.1:${await freePort()}`, 'receiver.php'] },
      ]
    },
  },
  {
    name: 'java',
    file: 'java/Receiver.java',
    isInstalled: isThere('java', '--version', [17, 0]),
    async prepare(folder) {
      const judge = readFileSync(path.join(judgesFolder, 'Judge.java'), 'utf8')
      const receiver = readFileSync(receiverOf(this.file), 'utf8')
      writeFileSync(path.join(folder, 'Judge.java'), receiver.replace('public final class Receiver', `${judge}\nfinal class Receiver`))
      return [{ command: 'java', args: ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', 'Judge.java'] }]
    },
  },
]
