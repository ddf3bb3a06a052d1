const defaultOrigin = 'http://localhost:3000'

/** As it is typed into a terminal: it names the service where it is not the one that it finds by itself. */
export function listenCommand(origin: string): string {
  const service = origin === defaultOrigin ? '' : `--url ${origin} `
  return `npx querypost listen ${service}--forward http://localhost:4000/hook`
}
