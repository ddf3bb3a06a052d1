const defaultOrigin = 'http://localhost:3000'

/** The command to run in a terminal. It includes the URL of the service unless it is the default. */
export function listenCommand(origin: string): string {
  const service = origin === defaultOrigin ? '' : `--url ${origin} `
  return `npx querypost listen ${service}--forward http://localhost:4000/hook`
}
