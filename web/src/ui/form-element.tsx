import type { ReactNode } from 'react'

interface Props {
  className?: string
  onSubmit(values: FormData, form: HTMLFormElement): unknown
  children: ReactNode
}

/** A form whose values stay on the page: the caller sends them. */
export function Form({ className = 'space-y-4', onSubmit, children }: Props) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget), event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
