/** A person, as a picture: the first letter of the name. */
export const Initial = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-semibold uppercase text-ink"
  >
    {name.trim().slice(0, 1)}
  </span>
)
