// The view Sessions: what each hook added or why it was silent, and what the agent then did with it.

import type { SessionsData } from '../../sessions-data.ts';
import { useData } from '../ask.ts';
import type { View } from '../view.ts';

type Session = SessionsData['sessions'][number];
type Answer = Session['answers'][number];
type Place = Answer['places'][number];

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const percent = (value: number | null): string =>
  value === null ? 'not known' : `${Math.round(value * 100)}%`;
const time = (at: string): string => at.slice(0, 19).replace('T', ' ');

const USES: Readonly<Record<Place['use'], string>> = {
  edited: 'edited',
  read: 'read',
  file: 'other lines of the file',
  none: 'not used',
  unknown: 'not known',
};

export const sessionsView: View = { id: 'sessions', title: 'Sessions', component: Sessions };

function Sessions() {
  const { value, problem } = useData<SessionsData>('sessions', {});
  if (problem !== undefined) return <p role="alert">{problem}</p>;
  if (value === undefined) return <p aria-busy="true">Reading records…</p>;
  const { totals, sessions, sessionsLeftOut, isRecording } = value;
  return (
    <div class="sessions">
      {isRecording ? null : <p role="note">The setting hookRecords is off, so nothing new is recorded.</p>}
      {sessions.length === 0 ? (
        <p>No hook has answered in this repository yet.</p>
      ) : (
        <p>
          Spoke {number(totals.spoke)} of {number(totals.answers)} times; {number(totals.injected)} places
          told, hit rate {percent(totals.hitRate)}; {number(totals.misses)} files missed;{' '}
          {number(totals.tokens)} tokens
        </p>
      )}
      {sessions.map((session, at) => (
        <details key={`${session.client} ${session.id}`} open={at === 0}>
          <summary>
            {time(session.endedAt)} {session.client}: spoke {number(session.totals.spoke)} of{' '}
            {number(session.totals.answers)}, hit rate {percent(session.totals.hitRate)}
          </summary>
          {session.answersLeftOut > 0 ? (
            <p>{number(session.answersLeftOut)} earlier answers are not listed.</p>
          ) : null}
          <ol>
            {session.answers.map((answer, place) => (
              <AnswerItem key={place} answer={answer} />
            ))}
          </ol>
          <Files session={session} />
        </details>
      ))}
      {sessionsLeftOut > 0 ? (
        <p>{number(sessionsLeftOut)} older sessions are counted and not listed.</p>
      ) : null}
    </div>
  );
}

function AnswerItem({ answer }: { readonly answer: Answer }) {
  const { at, event, spoke, reason, characters, tokens, milliseconds, prompt, places, misses } = answer;
  const size = tokens === null ? `${number(characters)} characters` : `${number(tokens)} tokens`;
  return (
    <li class={spoke ? 'spoke' : 'silent'}>
      <p>
        <time dateTime={at}>{time(at)}</time> {event}: <strong>{spoke ? `added ${size}` : 'silent'}</strong> (
        {reason}; {number(milliseconds)} ms)
      </p>
      {prompt === '' ? null : <blockquote>{prompt}</blockquote>}
      {places.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">place</th>
              <th scope="col">definition</th>
              <th scope="col">shown</th>
              <th scope="col">then</th>
            </tr>
          </thead>
          <tbody>
            {places.map((place, index) => (
              <tr key={index} class={`use-${place.use}`}>
                <th scope="row">
                  {place.path}
                  {place.lines === null ? '' : `:${place.lines[0]}-${place.lines[1]}`}
                </th>
                <td>{place.name ?? ''}</td>
                <td>{place.shown === 'code' ? 'code' : 'name only'}</td>
                <td>{USES[place.use]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {misses.length === 0 ? null : (
        <p>
          Missed:{' '}
          {misses.map(({ path, how }) => `${path} (${how === 'edit' ? 'edited' : 'read'})`).join(', ')}
        </p>
      )}
    </li>
  );
}

function Files({ session: { files } }: { readonly session: Session }) {
  if (files.length === 0) return <p>The client has told of no file that the agent used.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">file that the agent used</th>
          <th scope="col">reads</th>
          <th scope="col">edits</th>
          <th scope="col">was told of it</th>
        </tr>
      </thead>
      <tbody>
        {files.map(({ path, reads, edits, wasTold }) => (
          <tr key={path}>
            <th scope="row">{path}</th>
            <td>{number(reads)}</td>
            <td>{number(edits)}</td>
            <td>{wasTold ? 'yes' : 'no'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
