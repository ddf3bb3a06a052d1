/** The part of the Containerfile language that ours uses. Anything else is an error, so that no step is left out silently. */
export interface Stage {
  base: string
  name: string | undefined
  steps: Step[]
}

export type Step =
  | { kind: 'copy'; from: string | undefined; source: string; target: string }
  | { kind: 'run'; command: string }
  | { kind: 'env'; name: string; value: string }
  | { kind: 'workdir' | 'user' | 'volume' | 'expose' | 'stopsignal'; value: string }
  | { kind: 'healthcheck' | 'entrypoint' | 'cmd'; command: string[] }

export function parseContainerfile(text: string): Stage[] {
  const stages: Stage[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^(\w+) (.+)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      const [, base, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      if (!base) throw unknown(line)
      stages.push({ base, name, steps: [] })
    } else {
      stages.at(-1)?.steps.push(parseStep(instruction, rest, line))
    }
  }
  return stages
}

function parseStep(instruction: string, rest: string, line: string): Step {
  switch (instruction) {
    case 'COPY': {
      const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? []
      if (!source || !target) throw unknown(line)
      return { kind: 'copy', from, source, target }
    }
    case 'RUN':
      return { kind: 'run', command: rest }
    case 'ENV': {
      const [, name, value] = /^(\w+)=(\S*)$/.exec(rest) ?? []
      if (!name || value === undefined) throw unknown(line)
      return { kind: 'env', name, value }
    }
    case 'WORKDIR':
    case 'USER':
    case 'VOLUME':
    case 'EXPOSE':
    case 'STOPSIGNAL':
      return { kind: instruction.toLowerCase() as 'workdir', value: rest }
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', command: JSON.parse(rest.slice(rest.indexOf('['))) as string[] }
    case 'ENTRYPOINT':
    case 'CMD':
      return { kind: instruction.toLowerCase() as 'cmd', command: JSON.parse(rest) as string[] }
    default:
      throw unknown(line)
  }
}

const unknown = (line: string) => new Error(`Not understood: ${line}`)
