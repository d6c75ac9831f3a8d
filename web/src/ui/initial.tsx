import { initialsOf } from './initials.ts'

/** A person, as a picture: the first letters of the name. */
export const Initial = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-semibold text-ink uppercase"
  >
    {initialsOf(name)}
  </span>
)
