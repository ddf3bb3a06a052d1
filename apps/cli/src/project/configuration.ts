import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ManagedTree } from '@querypost/project'
import { parseDocument } from 'yaml'
import { CommandError, type Context } from '../command.ts'

/**
 * A *project* is a folder with the files of an organization. `querypost.yaml` at its root names its *environments*: services and
 * organizations that the same files are pushed to, each with an API key in a variable of its own.
 */
export interface Environment {
  name: string
  /** Undefined: from `--url` or QUERYPOST_URL. */
  url: string | undefined
  apiKeyVariable: string
  /** Files that manage their items, which can then not be edited on the pages. */
  managed?: ManagedTree
}

export interface Configuration {
  environments: Environment[]
  /** For environments that don't say it themselves. */
  managed?: ManagedTree
}

export const configurationFile = 'querypost.yaml'
const formatVersion = 1
const defaultEnvironment: Environment = { name: 'default', url: undefined, apiKeyVariable: 'QUERYPOST_API_KEY' }

export const firstConfiguration = `# The files of an organization, for \`querypost pull\` and \`querypost push\`.
version: ${formatVersion}
# environments:
#   staging:
#     url: https://staging.querypost.example.com
#     apiKeyVariable: QUERYPOST_STAGING_KEY
#   production:
#     url: https://querypost.example.com
#     apiKeyVariable: QUERYPOST_PRODUCTION_KEY
# managed:
#   url: https://github.com/acme/analytics/blob/main/
`

/** Undefined if the folder is not a project yet. */
export async function readConfiguration(folder: string): Promise<Configuration | undefined> {
  let text: string
  try {
    text = await readFile(path.join(folder, configurationFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const document = parseDocument(text)
  const given: unknown = document.errors.length > 0 ? undefined : document.toJS()
  if (!isFields(given)) throw wrong('is not valid YAML')
  const { version, environments = {}, managed, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(`has the unknown field "${unknown}". It can have version, environments and managed`)
  if (version !== formatVersion) throw wrong(`must have "version: ${formatVersion}". A newer version of querypost may be needed`)
  if (!isFields(environments)) throw wrong('needs names below environments, each with a url and an apiKeyVariable')
  return {
    environments: Object.entries(environments).map(([name, each]) => readEnvironment(name, each)),
    ...(managed !== undefined && { managed: readManaged(managed) }),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

function readManaged(given: unknown): ManagedTree {
  const { url, folders, ...others } = isFields(given) ? given : {}
  const isValid = isText(url) && /^https?:\/\/./.test(url) && URL.canParse(url) && Object.keys(others).length === 0
  if (!isValid) throw wrong('needs a url that begins with https://, and optionally folders, below managed')
  if (folders === undefined) return { url }
  if (!Array.isArray(folders) || !folders.every(isText)) throw wrong('needs a list of folders of the repository in managed.folders')
  return { url, folders: folders.map((folder) => folder.replaceAll(/^\.?\/+|\/+$/g, '')) }
}

function readEnvironment(name: string, given: unknown): Environment {
  if (!/^[a-z0-9-]+$/.test(name)) throw wrong(`has the environment "${name}". Names consist of small letters, digits and hyphens`)
  const { url, apiKeyVariable = defaultEnvironment.apiKeyVariable, managed, ...others } = isFields(given) ? given : {}
  const isValid = typeof url === 'string' && typeof apiKeyVariable === 'string' && Object.keys(others).length === 0
  if (!isValid) throw wrong(`needs a url, and optionally an apiKeyVariable and managed, for the environment "${name}"`)
  return { name, url, apiKeyVariable, ...(managed !== undefined && { managed: readManaged(managed) }) }
}

export function chooseEnvironment({ environments, managed }: Configuration, wanted: string | undefined): Environment {
  const chosen = findEnvironment(environments, wanted)
  return { ...(managed && { managed }), ...chosen }
}

function findEnvironment(environments: Environment[], wanted: string | undefined): Environment {
  const names = environments.map(({ name }) => name).join(', ')
  if (wanted !== undefined) {
    const found = environments.find(({ name }) => name === wanted)
    if (!found) throw new CommandError(1, `${configurationFile} has no environment "${wanted}".${names ? ` It has ${names}.` : ''}`)
    return found
  }
  if (environments.length > 1) throw new CommandError(1, `Choose an environment with --env: ${names}.`)
  return environments[0] ?? defaultEnvironment
}

/** The context with the address and the key of an environment. `--url` takes precedence. */
export function contextFor(context: Context, { name, url, apiKeyVariable }: Environment): Context {
  const apiKey = context.environment[apiKeyVariable]
  if (!apiKey && apiKeyVariable !== defaultEnvironment.apiKeyVariable) {
    throw new CommandError(1, `Set ${apiKeyVariable} to your API key for the environment "${name}".`)
  }
  return { ...context, url: context.url ?? url, environment: { ...context.environment, QUERYPOST_API_KEY: apiKey } }
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const wrong = (message: string) => new CommandError(1, `${configurationFile} ${message}.`)
