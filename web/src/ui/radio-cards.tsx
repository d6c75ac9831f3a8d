import { type ReactNode, useId } from 'react'

interface Card<T extends string> {
  value: T
  label: string
  hint?: string
  picture: ReactNode
}

interface Props<T extends string> {
  label: string
  hint?: string
  value: T
  cards: Card<T>[]
  /** Classes of the grid and of a card. */
  look: { grid: string; card: string }
  onChange(value: T): void
}

/** One of several, each with a picture: a group of radio buttons. */
export function RadioCards<T extends string>({ label, hint, value, cards, look, onChange }: Props<T>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className={look.grid}>
        {cards.map((card) => (
          <label
            key={card.value}
            className={`relative flex cursor-pointer rounded-xl border border-edge has-[:checked]:border-accent has-[:checked]:bg-sunken has-[:checked]:ring-2 has-[:checked]:ring-accent has-[:focus-visible]:outline-3 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-focus ${look.card}`}
          >
            <input
              type="radio"
              className="absolute inset-0 cursor-pointer opacity-0"
              name={name}
              aria-label={card.label}
              aria-describedby={card.hint ? `${name}-${card.value}` : undefined}
              checked={card.value === value}
              onChange={() => onChange(card.value)}
            />
            {card.picture}
            <span className="min-w-0">
              <span className="block hyphens-auto">{card.label}</span>
              {card.hint && (
                <span id={`${name}-${card.value}`} className="block text-sm text-soft">
                  {card.hint}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {hint && <p className="mt-1 text-sm text-soft">{hint}</p>}
    </fieldset>
  )
}
