/* `kill -s SIGNAL PID` for tests on Windows: KILL ends the process, INT and TERM press Ctrl+C and Ctrl+Break in its console. */

#include <stdlib.h>
#include <string.h>
#include <windows.h>

static BOOL WINAPI ignore(DWORD event) {
  (void)event;
  return TRUE;
}

int main(int count, char **arguments) {
  if (count != 4 || strcmp(arguments[1], "-s") != 0) {
    return 2;
  }
  DWORD id = strtoul(arguments[3], NULL, 10);
  if (strcmp(arguments[2], "KILL") == 0) {
    HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, id);
    return process != NULL && TerminateProcess(process, 137) ? 0 : 1;
  }
  DWORD event = strcmp(arguments[2], "INT") == 0 ? CTRL_C_EVENT : CTRL_BREAK_EVENT;
  /* The event reaches everything in that console, and so this program. */
  FreeConsole();
  if (AttachConsole(id) && SetConsoleCtrlHandler(ignore, TRUE) && GenerateConsoleCtrlEvent(event, 0)) {
    return 0;
  }
  /* Wine 8 has no events in a console without a window. Its own way to deliver one is this function of the process. */
  FARPROC deliver = GetProcAddress(GetModuleHandleA("kernelbase.dll"), "CtrlRoutine");
  HANDLE process = OpenProcess(PROCESS_ALL_ACCESS, FALSE, id);
  if (deliver == NULL || process == NULL) {
    return 1;
  }
  void *of_event = (void *)(ULONG_PTR)event;
  return CreateRemoteThread(process, NULL, 0, (LPTHREAD_START_ROUTINE)(void *)deliver, of_event, 0, NULL) != NULL ? 0 : 1;
}
