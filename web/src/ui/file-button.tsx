import { useId } from 'react'

interface Props {
  label: string
  hint: string
  accept: string
  onChoose(file: File): void
}

/** A button of our own over the browser's: that one speaks the language of the browser, not the chosen one. */
export function FileButton({ label, hint, accept, onChoose }: Props) {
  const id = useId()
  return (
    <div className="space-y-2">
      <label className="relative inline-flex min-h-11 cursor-pointer items-center rounded-xl border border-edge bg-raised px-4 font-medium hover:bg-sunken has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus">
        {label}
        <input
          type="file"
          accept={accept}
          aria-describedby={id}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) onChoose(file)
            // The same file can be chosen again after it was corrected.
            target.value = ''
          }}
        />
      </label>
      <p id={id} className="text-sm text-soft">
        {hint}
      </p>
    </div>
  )
}
