/** A name as words: `getUserById`, `get_user_by_id` and `get-user/by.id` as `get user by id`. Case of acronyms is kept. */
export const splitName = (name: string): string =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
