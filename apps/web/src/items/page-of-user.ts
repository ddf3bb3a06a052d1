import { paths } from '../paths.ts'

/** The page of a query, board or automation that the service names in an error, such as `/boards/h5w8r3tzqa`. */
export function pageOfUser(path: string): string {
  const [, kind, id = ''] = path.split('/')
  if (kind === 'boards') return paths.board(id)
  return kind === 'automations' ? paths.automation(id) : paths.permalink(id)
}
