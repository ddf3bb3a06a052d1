import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { repository } from './paths.ts'
import type { Stage } from './parse-containerfile.ts'

/** A folder with a Debian system in which the steps of one stage are executed, as a container engine would. */
export interface DebianRoot {
  folder: string
  env: Record<string, string>
  workdir: string
  user: 'root' | 'node'
}

/** The container has its own processes and mounts, and only the devices that every container has. */
const entering = `
mount -t proc proc "$1/proc"
for device in null zero full random urandom; do touch "$1/dev/$device"; mount --bind "/dev/$device" "$1/dev/$device"; done
mkdir -p "$1/dev/shm" && mount -t tmpfs tmpfs "$1/dev/shm"
[ "$5" = writable ] || { mount --bind "$1" "$1"; mount --bind "$1/data" "$1/data"; mount -t tmpfs tmpfs "$1/tmp"; mount -o remount,bind,ro "$1"; }
exec chroot --userspec="$2" "$1" /usr/bin/env -i --chdir="$3" $4 "\${@:6}"
`

/** Enters the root with a command, which is process 1 of its own namespace. */
export function enter(root: DebianRoot, command: string[], options: { env?: Record<string, string>; isReadOnly?: boolean } = {}): ChildProcess {
  const { folder, workdir, user } = root
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: user === 'root' ? '/root' : '/home/node', ...root.env, ...options.env }
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const ids = user === 'root' ? '0:0' : '1000:1000'
  const given = [folder, ids, workdir, assigned.join(' '), options.isReadOnly ? 'read-only' : 'writable', ...command]
  return spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-euc', entering, 'bash', ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs to the end. Fails with the output if the command does. */
export async function runInside(root: DebianRoot, command: string[], env: Record<string, string> = {}): Promise<string> {
  const child = enter(root, command, { env })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** What steps that download need from this machine. It does not become part of the image. */
function networkSettings(folder: string): Record<string, string> {
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  for (const file of ['/etc/resolv.conf', ...(certificates ? [certificates] : [])]) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    cpSync(file, path.join(folder, file), { dereference: true })
  }
  return certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}
}

/** Executes the steps of a stage in a copy of the base, and returns the root with what the stage declares about its process. */
export async function buildStage(
  stage: Stage,
  { base, folder, roots }: { base: string; folder: string; roots: ReadonlyMap<string, DebianRoot> },
): Promise<DebianRoot & { entrypoint: string[]; command: string[]; healthcheck: string[] }> {
  execFileSync('cp', ['-a', '--reflink=auto', base, folder])
  const root = { folder, env: {} as Record<string, string>, workdir: '/', user: 'root' as const }
  const network = networkSettings(folder)
  const built = { ...root, user: 'root' as DebianRoot['user'], entrypoint: [] as string[], command: [] as string[], healthcheck: [] as string[] }
  for (const step of stage.steps) {
    switch (step.kind) {
      case 'workdir':
        built.workdir = path.posix.resolve(built.workdir, step.value)
        mkdirSync(path.join(folder, built.workdir), { recursive: true })
        break
      case 'env':
        built.env[step.name] = step.value
        break
      case 'user':
        built.user = step.value as DebianRoot['user']
        break
      case 'copy':
        copy(step, built, roots)
        break
      case 'run':
        await runInside(built, ['/bin/sh', '-c', step.command], network)
        break
      case 'entrypoint':
        built.entrypoint = step.command
        break
      case 'cmd':
        built.command = step.command
        break
      case 'healthcheck':
        built.healthcheck = step.command
        break
      case 'volume':
      case 'expose':
      case 'stopsignal':
        break
    }
  }
  return built
}

function copy(step: { from: string | undefined; source: string; target: string }, root: DebianRoot, roots: ReadonlyMap<string, DebianRoot>): void {
  const target = path.join(root.folder, path.posix.resolve(root.workdir, step.target))
  mkdirSync(target, { recursive: true })
  if (step.from === undefined) {
    copyRepository(target)
    return
  }
  const source = path.join(roots.get(step.from)!.folder, step.source)
  if (!existsSync(source)) throw new Error(`${step.source} does not exist in the stage ${step.from}`)
  execFileSync('cp', ['-a', `${source}/.`, target])
}

/** The files under version control, as they are now. That is what .dockerignore leaves of a clean checkout. */
function copyRepository(target: string): void {
  const script = 'git ls-files -z --cached --others --exclude-standard | tar --null --files-from - --create | tar --extract --directory "$1" --no-same-owner'
  execFileSync('bash', ['-euo', 'pipefail', '-c', script, 'bash', target], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
}
