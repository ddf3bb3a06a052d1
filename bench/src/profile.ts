import { readFile } from 'node:fs/promises'

/** The part of a .cpuprofile (`node --cpu-prof`) that is used here. */
interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  /** Microseconds. */
  timeDeltas: number[]
}

interface Frame {
  functionName: string
  url: string
  lineNumber: number
}

const top = 40
const callersShown = 8

/**
 * Prints where the time of a profile went, by part of the program and by function, as shares of the busy time. With a function name, it
 * prints the call chains that lead to it.
 */
export async function printProfile(file: string, functionName?: string): Promise<void> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, 'utf8')) as Profile
  const selfMs = new Map<number, number>()
  for (const [index, id] of samples.entries()) selfMs.set(id, (selfMs.get(id) ?? 0) + timeDeltas[index]! / 1000)
  const byPart = new Map<string, number>()
  const byFunction = new Map<string, number>()
  const byCallers = new Map<string, number>()
  const callersOf = readCallers(nodes)
  let busyMs = 0
  for (const { id, callFrame } of nodes) {
    const ms = selfMs.get(id) ?? 0
    if (ms === 0 || callFrame.functionName === '(idle)') continue
    busyMs += ms
    add(byPart, partOf(callFrame), ms)
    add(byFunction, describe(callFrame), ms)
    if (callFrame.functionName === functionName) add(byCallers, callersOf(id).map(describe).join(' ← '), ms)
  }
  if (functionName !== undefined) return print(byCallers, busyMs)
  console.log(`busy for ${(busyMs / 1000).toFixed(1)} s\n\nBy part:`)
  print(byPart, busyMs)
  console.log('\nBy function, self time:')
  print(byFunction, busyMs)
}

function readCallers(nodes: Profile['nodes']): (id: number) => Frame[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  return (id) => {
    const callers: Frame[] = []
    for (let at = parents.get(id); at !== undefined && callers.length < callersShown; at = parents.get(at)) {
      callers.push(frames.get(at)!)
    }
    return callers
  }
}

const describe = (frame: Frame) => `${frame.functionName || '(anonymous)'}  ${placeOf(frame)}`.trimEnd()

function add(sums: Map<string, number>, name: string, ms: number): void {
  sums.set(name, (sums.get(name) ?? 0) + ms)
}

function print(sums: Map<string, number>, wholeMs: number): void {
  const sorted = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, top)
  for (const [name, ms] of sorted) console.log(`${((ms / wholeMs) * 100).toFixed(1).padStart(5)} %  ${name}`)
}

/** A package, a folder of the repository, or Node itself. */
function partOf({ functionName, url }: Frame): string {
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  const dependency = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (dependency) return dependency
  const own = /\/src\/(.*)\/[^/]+$/.exec(url)?.[1]
  return own ? `ours: ${own}` : functionName.startsWith('(') ? functionName : 'native'
}

function placeOf({ url, lineNumber }: Frame): string {
  const short = url.replace(/^.*\/(?:node_modules|src)\//, '')
  return short ? `${short}:${lineNumber + 1}` : ''
}
