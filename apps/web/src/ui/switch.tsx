/** On or off. */
export function Switch(props: { label: string; isOn: boolean; isDisabled?: boolean; onChange(isOn: boolean): void }) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={props.isOn}
        disabled={props.isDisabled}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>{props.label}</span>
    </label>
  )
}
