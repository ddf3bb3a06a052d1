import { TextInput } from '../ui/inputs.tsx'

/** For a code of six digits, or a recovery code where `allowsRecovery`. Phones offer the code of the app. */
export function CodeInput({ allowsRecovery = false, ...rest }: { allowsRecovery?: boolean; autoFocus?: boolean }) {
  return (
    <TextInput
      {...rest}
      name="code"
      autoComplete="one-time-code"
      inputMode={allowsRecovery ? 'text' : 'numeric'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
    />
  )
}
