import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Database, databasesOptions, getSavedQueriesDatabase, isForSavedQueries } from '../../api/databases.ts'
import { messageOf } from '../../api/request.ts'
import { Select } from '../../ui/inputs.tsx'
import { useToast } from '../../ui/toast.tsx'

const savedQueries = 'saved-queries'

/** Chooses the database of a query. The one for saved queries is always offered, and is created when it is first chosen. */
export function DatabaseSelect(props: { databases: Database[]; value: string; onChange(databaseId: string): void }) {
  const { databases, value, onChange } = props
  const queryClient = useQueryClient()
  const toast = useToast()
  const [isCreating, setIsCreating] = useState(false)

  async function chooseSavedQueries(): Promise<void> {
    setIsCreating(true)
    try {
      const { id } = await getSavedQueriesDatabase()
      await queryClient.invalidateQueries(databasesOptions())
      onChange(id)
    } catch (error) {
      toast.show({ message: messageOf(error), isProblem: true })
    }
    setIsCreating(false)
  }

  return (
    <Select
      value={isCreating ? savedQueries : value}
      onChange={({ target }) => (target.value === savedQueries ? void chooseSavedQueries() : onChange(target.value))}
    >
      {value === '' && <option value="">Choose a database…</option>}
      {databases.map(({ id, name }) => (
        <option key={id} value={id}>{name}</option>
      ))}
      {!databases.some(isForSavedQueries) && <option value={savedQueries}>Saved queries</option>}
    </Select>
  )
}
