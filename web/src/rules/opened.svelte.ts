// The rule that is open in a drawer over whatever page there is, and how a rulebook shows one of its own.

export interface Opened {
  game: string;
  number: string;
}

export const opened = $state<{ at: Opened | null }>({ at: null });

/** Under this key a rulebook tells what stands in it how to go to one of its rules. */
export const WITHIN = Symbol("rulebook");
export interface Within {
  game: string;
  go: (number: string) => void;
}
