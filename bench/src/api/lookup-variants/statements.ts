/** The number of statements that the lookups of this process have run. */
export const statements = { count: 0 }

export function counted<Keys, Answer>(read: (keys: Keys) => Promise<Answer>): (keys: Keys) => Promise<Answer> {
  return (keys) => {
    statements.count += 1
    return read(keys)
  }
}
