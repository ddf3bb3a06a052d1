import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { chatListKey, chatOptions, startChat } from '../../api/chats.ts'
import { databasesOptions } from '../../api/databases.ts'
import { modelSettingsOptions } from '../../api/model-settings.ts'
import { hasCode, messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { ExampleChips } from './example-chips.tsx'
import { FoundQueries } from './found-queries.tsx'
import { QuestionInput } from './question-input.tsx'
import { UnsupportedNotice } from './unsupported-notice.tsx'

const settleMs = 250

/** Asks a question in a new chat. Without a model, it finds saved queries by the words instead. */
export function AskBox({ initial = '', isFocused = false }: { initial?: string; isFocused?: boolean }) {
  const [text, setText] = useState(initial)
  const [databaseId, setDatabaseId] = useState('')
  // Choosing an example focuses the box, also for the second time.
  const [focusCount, setFocusCount] = useState(0)
  const client = useQueryClient()
  const model = useQuery(modelSettingsOptions)
  const asking = useMutation({
    mutationFn: startChat,
    onSuccess: (chat) => {
      client.setQueryData(chatOptions(chat.shortId).queryKey, chat)
      void client.invalidateQueries({ queryKey: chatListKey })
      navigate(paths.chat(chat.shortId))
    },
  })
  const isWithoutModel = model.data === null || hasCode(asking.error, 'model_not_configured')
  const searched = useDebounced(text, settleMs)
  const send = (question: string) => {
    if (!isWithoutModel) asking.mutate({ text: question, ...(databaseId !== '' && { databaseId }) })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <QuestionInput
        key={focusCount}
        label="Ask about your data"
        sendLabel={isWithoutModel ? 'Find queries' : 'Ask'}
        placeholder="Which products sold best last week?"
        value={text}
        isSending={asking.isPending}
        isFocused={isFocused || focusCount > 0}
        onChange={setText}
        onSend={send}
      />
      <UnsupportedNotice text={text} />
      {asking.isError && !isWithoutModel && <Problem title="Couldn’t ask" message={messageOf(asking.error)} />}
      {isWithoutModel && <FoundQueries question={searched} />}
      {!isWithoutModel && <DatabaseChoice value={databaseId} onChange={setDatabaseId} />}
      {text.trim() === '' && (
        <ExampleChips
          onChoose={(question) => {
            setText(question)
            setFocusCount((count) => count + 1)
          }}
        />
      )}
    </div>
  )
}

/** Hidden if there is only one database. */
function DatabaseChoice({ value, onChange }: { value: string; onChange(id: string): void }) {
  const { data: databases = [] } = useQuery(databasesOptions())
  if (databases.length < 2) return null
  return (
    <Field label="Database" isLabelHidden className="max-w-60">
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Any database</option>
        {databases.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      </Select>
    </Field>
  )
}
