; The installer for Windows: for one person, without administrator rights.
;
;   makensis -DVERSION=0.1.0 -DFILES=FOLDER -DOUTPUT=FILE.exe installer.nsi
;
; Silent: /S, and /D=FOLDER as the last argument for another folder. uninstall.exe /S keeps the data, /S /REMOVEDATA removes it.
; The app itself starts the installer of a newer version with /P (only the progress is shown), /UPDATE (the app is about to end)
; and /R (start the app again), as Tauri's updater does.

; A 64-bit program, like what it installs.
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma

!define NAME "Template Desk"
; The identifier of tauri.conf.json: the folder of the data, and the sender of notifications.
!define IDENTIFIER "app.template-desk"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${IDENTIFIER}"
!define SCHEME_KEY "Software\Classes\template-desk"
!define SENDER_KEY "Software\Classes\AppUserModelId\${IDENTIFIER}"
!define WEBVIEW2 "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

Name "${NAME}"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
ManifestDPIAware true
ShowInstDetails nevershow
ShowUnInstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileDescription" "${NAME} Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "CompanyName" "Template Desk contributors"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "nsDialogs.nsh"
!include "WordFunc.nsh"

!define MUI_ICON "${ROOT}\icons\icon.ico"
!define MUI_UNICON "${ROOT}\icons\icon.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\template-desk.exe"

!define MUI_PAGE_CUSTOMFUNCTION_PRE skipIfPassive
!insertmacro MUI_PAGE_WELCOME
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipIfPassive
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipIfPassive
!insertmacro MUI_PAGE_FINISH

!insertmacro MUI_UNPAGE_CONFIRM
UninstPage custom un.askForData un.leaveData
!insertmacro MUI_UNPAGE_INSTFILES

!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "Spanish"

LangString IS_RUNNING ${LANG_ENGLISH} "${NAME} is running. Quit it, also in the notification area, then choose Retry."
LangString IS_RUNNING ${LANG_PORTUGUESEBR} "O ${NAME} está em execução. Saia dele, também na área de notificação, e escolha Repetir."
LangString IS_RUNNING ${LANG_SPANISH} "${NAME} se está ejecutando. Ciérrelo, también en el área de notificación, y elija Reintentar."
LangString IS_NEWER ${LANG_ENGLISH} "A newer version of ${NAME} is installed. Its data cannot be read by version ${VERSION}, so nothing was changed."
LangString IS_NEWER ${LANG_PORTUGUESEBR} "Há uma versão mais nova do ${NAME} instalada. A versão ${VERSION} não lê os dados dela, por isso nada foi alterado."
LangString IS_NEWER ${LANG_SPANISH} "Hay una versión más nueva de ${NAME} instalada. La versión ${VERSION} no lee sus datos, así que no se cambió nada."
LangString NO_WEBVIEW ${LANG_ENGLISH} "${NAME} shows its window with Microsoft Edge WebView2, which this computer does not have. Open the page from which Microsoft offers it?"
LangString NO_WEBVIEW ${LANG_PORTUGUESEBR} "O ${NAME} mostra a janela com o Microsoft Edge WebView2, que este computador não tem. Abrir a página em que a Microsoft o oferece?"
LangString NO_WEBVIEW ${LANG_SPANISH} "${NAME} muestra su ventana con Microsoft Edge WebView2, que este equipo no tiene. ¿Abrir la página en la que Microsoft lo ofrece?"
LangString DATA_TITLE ${LANG_ENGLISH} "Your data"
LangString DATA_TITLE ${LANG_PORTUGUESEBR} "Seus dados"
LangString DATA_TITLE ${LANG_SPANISH} "Sus datos"
LangString DATA_SUBTITLE ${LANG_ENGLISH} "Drafts, sends, conversations and settings on this computer"
LangString DATA_SUBTITLE ${LANG_PORTUGUESEBR} "Rascunhos, envios, conversas e configurações neste computador"
LangString DATA_SUBTITLE ${LANG_SPANISH} "Borradores, envíos, conversaciones y ajustes de este equipo"
LangString DATA_CHECKBOX ${LANG_ENGLISH} "Remove them too. This cannot be undone."
LangString DATA_CHECKBOX ${LANG_PORTUGUESEBR} "Removê-los também. Isso não pode ser desfeito."
LangString DATA_CHECKBOX ${LANG_SPANISH} "Eliminarlos también. Esto no se puede deshacer."

Var removeData
Var checkbox
Var passive
Var update
Var restart

; Windows does not let a running program be opened for writing. An app that updates itself ends within seconds.
!macro waitUntilClosed FILE
  StrCpy $1 0
  ${Do}
    ${IfNot} ${FileExists} "${FILE}"
      ${Break}
    ${EndIf}
    ClearErrors
    FileOpen $0 "${FILE}" a
    ${IfNot} ${Errors}
      FileClose $0
      ${Break}
    ${EndIf}
    ${If} $update == 1
    ${AndIf} $1 < 60
      IntOp $1 $1 + 1
      Sleep 500
      ${Continue}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(IS_RUNNING)" /SD IDCANCEL IDRETRY +3
    SetErrorLevel 3
    Abort
  ${Loop}
!macroend

!macro isGiven OPTION VARIABLE
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "${OPTION}" $1
  ${IfNot} ${Errors}
    StrCpy ${VARIABLE} 1
  ${EndIf}
!macroend

Function .onInit
  !insertmacro isGiven "/P" $passive
  !insertmacro isGiven "/UPDATE" $update
  !insertmacro isGiven "/R" $restart
  ReadRegStr $0 HKCU "${UNINSTALL_KEY}" "DisplayVersion"
  ${If} $0 != ""
    ${VersionCompare} "$0" "${VERSION}" $1
    ${If} $1 == 1
      MessageBox MB_OK|MB_ICONSTOP "$(IS_NEWER)" /SD IDOK
      SetErrorLevel 4
      Abort
    ${EndIf}
  ${EndIf}
FunctionEnd

Function skipIfPassive
  ${If} $passive == 1
    Abort
  ${EndIf}
FunctionEnd

Function .onInstSuccess
  ${If} $restart == 1
    Exec '"$INSTDIR\template-desk.exe"'
  ${EndIf}
FunctionEnd

Section
  SetShellVarContext current
  ${If} $passive == 1
    SetAutoClose true
  ${EndIf}
  !insertmacro waitUntilClosed "$INSTDIR\template-desk.exe"
  !insertmacro waitUntilClosed "$INSTDIR\tdesk.exe"
  SetOutPath "$INSTDIR"
  SetOverwrite on
  File "${FILES}\template-desk.exe"
  File "${FILES}\tdesk.exe"
  File "${FILES}\WebView2Loader.dll"
  ; Notifications show a picture, not the icon of a program.
  File "/oname=icon.png" "${ROOT}\icons\128x128.png"
  File "/oname=LICENSE.txt" "${ROOT}\LICENSE"
  File "/oname=CHANGELOG.txt" "${ROOT}\CHANGELOG.md"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\template-desk.exe"

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\template-desk.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Template Desk contributors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  IntFmt $0 "0x%08X" $0
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" "$0"

  ; Links to pages.
  WriteRegStr HKCU "${SCHEME_KEY}" "" "URL:${NAME}"
  WriteRegStr HKCU "${SCHEME_KEY}" "URL Protocol" ""
  WriteRegStr HKCU "${SCHEME_KEY}\DefaultIcon" "" "$INSTDIR\template-desk.exe,0"
  WriteRegStr HKCU "${SCHEME_KEY}\shell\open\command" "" '"$INSTDIR\template-desk.exe" "%1"'
  ; The name under which notifications are shown.
  WriteRegStr HKCU "${SENDER_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${SENDER_KEY}" "IconUri" "$INSTDIR\icon.png"

  Call findWebView
  Pop $0
  ${If} $0 == ""
  ; The app that updates itself has shown its window.
  ${AndIf} $update != 1
    MessageBox MB_YESNO|MB_ICONEXCLAMATION "$(NO_WEBVIEW)" /SD IDNO IDNO +2
    ExecShell "open" "https://developer.microsoft.com/microsoft-edge/webview2/"
  ${EndIf}
SectionEnd

; The version of WebView2 that is installed for this person or this computer; empty if there is none.
; https://learn.microsoft.com/microsoft-edge/webview2/concepts/distribution#detect-if-a-webview2-runtime-is-already-installed
Function findWebView
  ReadRegStr $0 HKCU "Software\Microsoft\EdgeUpdate\Clients\${WEBVIEW2}" "pv"
  ${If} $0 == ""
  ${OrIf} $0 == "0.0.0.0"
    ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\${WEBVIEW2}" "pv"
  ${EndIf}
  ${If} $0 == "0.0.0.0"
    StrCpy $0 ""
  ${EndIf}
  Push $0
FunctionEnd

Function un.onInit
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/REMOVEDATA" $1
  ${IfNot} ${Errors}
    StrCpy $removeData 1
  ${EndIf}
FunctionEnd

Function un.askForData
  !insertmacro MUI_HEADER_TEXT "$(DATA_TITLE)" "$(DATA_SUBTITLE)"
  nsDialogs::Create 1018
  Pop $0
  ${NSD_CreateCheckbox} 0 0 100% 12u "$(DATA_CHECKBOX)"
  Pop $checkbox
  nsDialogs::Show
FunctionEnd

Function un.leaveData
  ${NSD_GetState} $checkbox $removeData
FunctionEnd

Section "Uninstall"
  SetShellVarContext current
  !insertmacro waitUntilClosed "$INSTDIR\template-desk.exe"
  !insertmacro waitUntilClosed "$INSTDIR\tdesk.exe"
  Delete "$INSTDIR\template-desk.exe"
  Delete "$INSTDIR\tdesk.exe"
  Delete "$INSTDIR\WebView2Loader.dll"
  Delete "$INSTDIR\icon.png"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\CHANGELOG.txt"
  Delete "$INSTDIR\uninstall.exe"
  ; Only if nothing else is there.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegKey HKCU "${SCHEME_KEY}"
  DeleteRegKey HKCU "${SENDER_KEY}"
  ; Made by the app, if the person starts it at login.
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "Template Desk"
  ${If} $removeData == 1
    RMDir /r "$LOCALAPPDATA\${IDENTIFIER}"
  ${EndIf}
SectionEnd
