import { Eye, EyeOff } from 'lucide-react'
import { type InputHTMLAttributes, useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextInput } from '../../ui/inputs.tsx'

/** A password input with a button that shows the characters. */
export function PasswordInput(props: Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'>) {
  const [isShown, setIsShown] = useState(false)
  return (
    <div className="relative">
      <TextInput
        {...props}
        type={isShown ? 'text' : 'password'}
        className="pr-10"
        spellCheck={false}
        autoCapitalize="none"
      />
      <IconButton
        label={isShown ? 'Hide characters' : 'Show characters'}
        aria-pressed={isShown}
        icon={isShown ? <EyeOff /> : <Eye />}
        className="absolute top-px right-0.5"
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  )
}

export const newPasswordHint = 'At least 12 characters. A few words in a row are easy to remember and hard to guess.'
