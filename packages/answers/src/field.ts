/** The type of a result's column, whatever the database calls it. */
export type FieldType = 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'

export interface Field {
  name: string
  type: FieldType
}
