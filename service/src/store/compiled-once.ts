import type { Compilable, CompiledQuery } from 'kysely'

class Place<Name> {
  readonly name: Name
  constructor(name: Name) {
    this.name = name
  }
}

/** A statement for many rows: building its text costs more than running it, so it is built once, with places for values. */
export function compiledOnce<Values extends object>(
  names: (keyof Values)[],
  build: (values: Values) => Compilable,
): (values: Values) => Compilable {
  const places = Object.fromEntries(names.map((name) => [name, new Place(name)])) as Values
  const compiled: CompiledQuery = build(places).compile()
  return (values) => ({
    compile: <T>() => ({
      ...(compiled as CompiledQuery<T>),
      parameters: compiled.parameters.map((value) =>
        value instanceof Place ? values[value.name as keyof Values] : value,
      ),
    }),
  })
}
